import { type AddressInfo, connect } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { world } from '../../test/world.ts'
import { createServer } from './server.ts'

/** The answers that came back on one connection. */
interface Exchange {
  statuses: number[]
  text: string
  isClosed: boolean
}

/** A listening server whose handler records each request. */
async function listening() {
  const { ctx } = await world()
  const http = createServer(ctx)
  const reached: string[] = []
  http.all('/*', async ({ method, url, body }) => {
    reached.push([method, url, ...(body === undefined ? [] : [JSON.stringify(body)])].join(' '))
    return {}
  })
  await http.listen({ port: 0, host: '127.0.0.1' })
  onTestFinished(() => http.close())
  const { port } = http.server.address() as AddressInfo
  return {
    http,
    port,
    reached,
    send: (bytes: string | Buffer, expected?: number) => send(port, bytes, expected),
  }
}

/** Enough for a slow machine, but less than the server's idle timeout. */
const PATIENCE_MS = 4_500
/** After the expected answers, an additional one would arrive within this time. */
const QUIET_MS = 100

/**
 * Sends raw bytes and reads until the server closes. If the connection stays open, reads until `expected` answers have
 * come (not counting 100), and for a short time after that.
 */
function send(port: number, bytes: string | Buffer, expected = Number.POSITIVE_INFINITY): Promise<Exchange> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    let text = ''
    const statuses = () =>
      [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status)).filter((s) => s !== 100)
    const end = (isClosed: boolean) => {
      clearTimeout(timer)
      socket.destroy()
      resolve({ statuses: statuses(), text, isClosed })
    }
    let timer = setTimeout(() => end(false), PATIENCE_MS)
    socket.on('data', (chunk) => {
      text += chunk
      if (statuses().length < expected) return
      clearTimeout(timer)
      timer = setTimeout(() => end(false), QUIET_MS)
    })
    socket.on('error', () => {})
    socket.on('close', () => end(true))
    socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes)
  })
}

const HOST = 'Host: localhost\r\n'
const JSON_TYPE = 'Content-Type: application/json\r\n'
const get = (path: string, headers = HOST) => `GET ${path} HTTP/1.1\r\n${headers}\r\n`
const post = (headers: string, body: string, version = '1.1') =>
  `POST /post HTTP/${version}\r\n${HOST}${JSON_TYPE}${headers}\r\n${body}`
const CHUNKED = 'Transfer-Encoding: chunked\r\n'
const length = (text: number | string) => `Content-Length: ${text}\r\n`
/** A JSON string that is a request if its length is ignored. */
const smuggled = JSON.stringify(get('/smuggled'))
const chunks = '2\r\n{}\r\n0\r\n\r\n'
const many = (count: number) => Array.from({ length: count }, (_, i) => `X-${i}: a\r\n`).join('')

/** Each is sent twice: alone, and followed by another request, which must not be answered. */
const ambiguous: Record<string, Record<string, [string, number | null]>> = {
  'whose host is ambiguous': {
    'no Host': [get('/a', ''), 400],
    'no Host in HTTP/1.0': ['GET /a HTTP/1.0\r\n\r\n', 400],
    'an empty Host': [get('/a', 'Host:\r\n'), 400],
    'two equal Hosts': [get('/a', HOST + HOST), 400],
    'two different Hosts': [get('/a', `${HOST}Host: evil.example\r\n`), 400],
    'two Hosts in two spellings': [get('/a', `${HOST}hOsT: localhost\r\n`), 400],
    'a space before the colon of Host': [get('/a', 'Host : localhost\r\n'), 400],
    'two names in one Host': [get('/a', 'Host: localhost, evil.example\r\n'), 400],
    'user information in Host': [get('/a', 'Host: evil@localhost\r\n'), 400],
    'a path in Host': [get('/a', 'Host: localhost/a\r\n'), 400],
    'a folded Host': [get('/a', 'Host: local\r\n host\r\n'), 400],
    'a foreign Host': [get('/a', 'Host: evil.example\r\n'), 400],
    'two Hosts and a pending body': [
      `POST /post HTTP/1.1\r\n${HOST}${HOST}Expect: 100-continue\r\n${length(2)}\r\n{}`,
      400,
    ],
  },
  'whose target is not a path': {
    'absolute form': [get('http://localhost/a'), 400],
    'absolute form of another host': [get('http://evil.example/a'), 400],
    'asterisk form': [`OPTIONS * HTTP/1.1\r\n${HOST}\r\n`, 400],
    'authority form': [get('localhost:80'), 400],
    'no slash': [get('a'), 400],
    'a fragment': [get('/a#b'), 400],
    'a space': [get('/a b'), 400],
    'a byte above ASCII': [get('/\xff'), 400],
    'an invalid percent sign': [get('/%zz'), 400],
    'more than 8 KiB': [get(`/${'a'.repeat(8_192)}`), 414],
    'a query of more than 8 KiB': [get(`/a?${'a'.repeat(8_192)}`), 414],
  },
  'whose method is not supported': {
    TRACE: [`TRACE /a HTTP/1.1\r\n${HOST}\r\n`, 405],
    CONNECT: [`CONNECT localhost:80 HTTP/1.1\r\n${HOST}\r\n`, null],
    'CONNECT with a path': [`CONNECT /a HTTP/1.1\r\n${HOST}\r\n`, null],
    PROPFIND: [`PROPFIND /a HTTP/1.1\r\n${HOST}\r\n`, 405],
    'lower case': [`get /a HTTP/1.1\r\n${HOST}\r\n`, 400],
    'an unknown method': [`FOO /a HTTP/1.1\r\n${HOST}\r\n`, 400],
    "HTTP/2's preface": ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
    'HTTP/1.2': [`GET /a HTTP/1.2\r\n${HOST}\r\n`, 400],
    'a TLS hello': ['\x16\x03\x01\x00\xa5\x01\x00', 400],
  },
  'whose length is ambiguous': {
    'length, then chunks': [post(length(6) + CHUNKED, '0\r\n\r\nX'), 400],
    'chunks, then a length': [post(CHUNKED + length(4), chunks), 400],
    'two lengths': [post(length(2) + length(3), '{} '), 400],
    'one length twice': [post(length(2) + length(2), '{}'), 400],
    'a list of lengths': [post(length('2, 2'), '{}'), 400],
    'a negative length': [post(length(-2), '{}'), 400],
    'a length with a sign': [post(length('+2'), '{}'), 400],
    'a hexadecimal length': [post(length('0x2'), '{}'), 400],
    'an empty length': [post(length(''), '{}'), 400],
    'a length above all integers': [post(length('9'.repeat(30)), '{}'), 400],
    'chunks in HTTP/1.0': [post(CHUNKED, chunks, '1.0'), 400],
  },
  'whose transfer coding is not only chunked': {
    'gzip, chunked': [post('Transfer-Encoding: gzip, chunked\r\n', chunks), 501],
    'chunked, gzip': [post('Transfer-Encoding: chunked, gzip\r\n', chunks), 400],
    identity: [post('Transfer-Encoding: identity\r\n', '{}'), 501],
    'identity and a length': [post(`Transfer-Encoding: identity\r\n${length(2)}`, '{}'), 400],
    'a coding with a similar name': [post('Transfer-Encoding: xchunked\r\n', chunks), 501],
    'chunked twice': [post(CHUNKED + CHUNKED, chunks), 400],
    'chunked and identity': [post(`${CHUNKED}Transfer-Encoding: identity\r\n`, chunks), 400],
    'a space before the colon': [post('Transfer-Encoding : chunked\r\n', chunks), 400],
    'a vertical tab before it': [post('Transfer-Encoding:\x0bchunked\r\n', chunks), 400],
    'a folded header': [post('Transfer-Encoding:\r\n chunked\r\n', chunks), 400],
  },
  'whose chunks are invalid': {
    'a size that is not a number': [post(CHUNKED, 'zz\r\n{}\r\n0\r\n\r\n'), 400],
    'a size above all integers': [post(CHUNKED, `${'f'.repeat(17)}\r\n{}\r\n0\r\n\r\n`), 400],
    'more bytes than the size': [post(CHUNKED, '2\r\n{}}}\r\n0\r\n\r\n'), 400],
    'lines that end with a bare LF': [post(CHUNKED, '2\n{}\n0\n\n'), 400],
    'an extension that ends with a bare LF': [post(CHUNKED, '2;a\n{}\r\n0\r\n\r\n'), 400],
    'an extension of 20 KiB': [post(CHUNKED, `2;${'a'.repeat(20_480)}\r\n{}\r\n0\r\n\r\n`), 400],
  },
  'whose header lines are invalid': {
    'a folded line': [get('/a', `${HOST}X: a\r\n b\r\n`), 400],
    'LF alone': ['GET /a HTTP/1.1\nHost: localhost\n\n', 400],
    'a bare LF within a line': [get('/a', `${HOST}X: a\nY: b\r\n`), 400],
    'a bare CR within a line': [get('/a', `${HOST}X: a\rY: b\r\n`), 400],
    'NUL within': [get('/a', `${HOST}X: a\0b\r\n`), 400],
    'no colon': [get('/a', `${HOST}X\r\n`), 400],
    'an invalid name': [get('/a', `${HOST}X(: b\r\n`), 400],
    'more than 16 KiB': [get('/a', `${HOST}X: ${'a'.repeat(16_384)}\r\n`), 431],
    'more than 100 lines': [get('/a', HOST + many(100)), 431],
    'a Host behind 120 lines': [get('/a', HOST + many(120) + HOST), 431],
  },
}

describe('A request that two programs could read differently is never processed', () => {
  test.each(Object.entries(ambiguous))('one %s', async (_what, cases) => {
    const { send, reached } = await listening()
    const answers = await Promise.all(
      Object.entries(cases).map(async ([name, [bytes]]) => [name, (await send(bytes, 1)).statuses]),
    )
    const expected = Object.entries(cases).map(([name, [, status]]) => [
      name,
      status === null ? [] : [status],
    ])
    expect(Object.fromEntries(answers)).toEqual(Object.fromEntries(expected))
    expect(reached).toEqual([])
  })

  test('leaves its connection without further requests', async () => {
    const { send, reached } = await listening()
    const refusedByUs = Object.values(ambiguous)
      .flatMap((cases) => Object.entries(cases))
      .filter(
        ([name]) =>
          !/^(an empty Host|two names|user information|a path|a foreign Host|an invalid percent)/.test(name),
      )
    const exchanges = await Promise.all(
      refusedByUs.map(async ([name, [bytes]]) => {
        const { statuses, isClosed } = await send(bytes + get('/behind'))
        return { name, isClosed, isAnswered: statuses.includes(200) }
      }),
    )
    expect(exchanges.filter(({ isClosed, isAnswered }) => !isClosed || isAnswered)).toEqual([])
    expect(reached).toEqual([])
  })

  test('is refused with a problem document, by Node or by this server', async () => {
    const { send } = await listening()
    const documents = await Promise.all(
      [
        get('/a', ''),
        'nothing\r\n\r\n',
        get('/a', `${HOST}X: ${'a'.repeat(16_384)}\r\n`),
        `TRACE /a HTTP/1.1\r\n${HOST}\r\n`,
      ].map(async (bytes) => {
        const [head = '', body = ''] = (await send(bytes, 1)).text.split('\r\n\r\n')
        return [/^content-type: (.*)$/im.exec(head)?.[1], JSON.parse(body)]
      }),
    )
    const problem = (status: number, title: string) => [
      'application/problem+json',
      { title, type: 'about:blank', status, detail: title },
    ]
    expect(documents).toEqual([
      problem(400, 'Bad Request'),
      problem(400, 'Bad Request'),
      problem(431, 'Request Header Fields Too Large'),
      problem(405, 'Method Not Allowed'),
    ])
  })
})

describe('A request with one meaning', () => {
  const clear: Record<string, [string, string[]]> = {
    'a path': [get('/a'), ['GET /a']],
    'HTTP/1.0': [`GET /b HTTP/1.0\r\n${HOST}\r\n`, ['GET /b']],
    'a Host with a port, in capitals': [get('/c', 'HOST: LOCALHOST:8080\r\n'), ['GET /c']],
    'an empty line before it': [`\r\n${get('/d')}`, ['GET /d']],
    'a length': [post(length(2), '{}'), ['POST /post {}']],
    'a length with zeros before it': [post(length('002'), '{}'), ['POST /post {}']],
    chunks: [post(CHUNKED, chunks), ['POST /post {}']],
    'chunks in capitals': [post('Transfer-Encoding: CHUNKED\r\n', chunks), ['POST /post {}']],
    'chunks with extensions': [post(CHUNKED, '2;a=b\r\n{}\r\n0\r\n\r\n'), ['POST /post {}']],
    'chunks with a trailer, which is not a header': [
      post(CHUNKED, '2\r\n{}\r\n0\r\nHost: evil.example\r\n\r\n'),
      ['POST /post {}'],
    ],
    'a body that waits for 100 Continue': [
      post(`Expect: 100-continue\r\n${length(2)}`, '{}'),
      ['POST /post {}'],
    ],
    'an upgrade that is ignored': [get('/e', `${HOST}Connection: Upgrade\r\nUpgrade: h2c\r\n`), ['GET /e']],
    'a path of 8 KiB': [get(`/${'a'.repeat(8_191)}`), [`GET /${'a'.repeat(8_191)}`]],
    'a header of 15 KiB': [get('/f', `${HOST}X: ${'a'.repeat(15_360)}\r\n`), ['GET /f']],
    '100 headers': [get('/g', HOST + many(99)), ['GET /g']],
    'a body that looks like a request': [post(length(smuggled.length), smuggled), [`POST /post ${smuggled}`]],
    'a body without a length after a request that closes its connection': [
      `DELETE /l HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n{"id":5}`,
      ['DELETE /l'],
    ],
    'a body without a length': [`DELETE /o HTTP/1.1\r\n${HOST}\r\n{"id":5}`, ['DELETE /o']],
    'a body without a length, as the last of two': [
      `${get('/p')}DELETE /q HTTP/1.1\r\n${HOST}\r\n{"id":5}`,
      ['GET /p', 'DELETE /q'],
    ],
    'a request after one that closes its connection': [
      get('/m', `${HOST}Connection: close\r\n`) + get('/n'),
      ['GET /m'],
    ],
    'three pipelined requests': [get('/i') + get('/j') + get('/k'), ['GET /i', 'GET /j', 'GET /k']],
  }

  test('is answered once, with 200', async () => {
    const { send, reached } = await listening()
    const answers = await Promise.all(
      Object.entries(clear).map(async ([name, [bytes, paths]]) => [
        name,
        (await send(bytes, paths.length)).statuses,
      ]),
    )
    const expected = Object.entries(clear).map(([name, [, paths]]) => [name, paths.map(() => 200)])
    expect(Object.fromEntries(answers)).toEqual(Object.fromEntries(expected))
    expect(reached.sort()).toEqual(
      Object.values(clear)
        .flatMap(([, paths]) => paths)
        .sort(),
    )
  })

  test('is refused if it has an unknown expectation', async () => {
    const { send, reached } = await listening()
    expect((await send(post(`Expect: 200-maybe\r\n${length(2)}`, '{}'), 1)).statuses).toEqual([417])
    expect(reached).toEqual([])
  })
})
