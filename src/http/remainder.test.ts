import { writeFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { join } from 'node:path'
import { connect as connectTls } from 'node:tls'
import { describe, expect, onTestFinished, test } from 'vitest'
import { makeCertificates } from '../../test/programs/certificates.ts'
import { temporaryFolder } from '../../test/programs/temporary-folder.ts'
import { createListener, refuseUnreadable } from './framing.ts'
import { createProxies } from './proxies.ts'

const { authority, server: certificate } = makeCertificates(['localhost'])

/** A server with one handler, and a way to connect to it. */
async function serve(isTls: boolean, handler: RequestListener) {
  const reached: string[] = []
  const server = createListener(
    (request, response) => {
      reached.push(`${request.method} ${request.url}`)
      handler(request, response)
    },
    {
      tls: isTls ? await certificateFiles() : null,
      proxies: createProxies([], { warn: () => {} } as never),
      accepted: () => {},
      refusedConnection: () => {},
    },
  ).on('clientError', refuseUnreadable)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  return { reached, open: () => open(port, isTls) }
}

async function certificateFiles() {
  const folder = temporaryFolder()
  const write = (name: string, text: string) => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }
  return { cert: write('cert.pem', certificate.cert), key: write('key.pem', certificate.key) }
}

test('Files that are not a certificate and its key are refused by the names of their settings', async () => {
  const { cert, key } = await certificateFiles()
  const other = await certificateFiles()
  writeFileSync(other.key, makeCertificates(['localhost']).server.key)
  const create = (tls: { cert: string; key: string }) => () =>
    createListener(() => {}, {
      tls,
      proxies: createProxies([], { warn: () => {} } as never),
      accepted: () => {},
      refusedConnection: () => {},
    })
  for (const tls of [{ cert: key, key: cert }, other])
    expect(create(tls)).toThrow(/^TLS_CERT and TLS_KEY are not a certificate chain and its key in PEM/)
})

/** A connection: `come` waits for a text, `end` for the end of the connection, and returns all that came. */
function open(port: number, isTls: boolean) {
  const socket = isTls
    ? connectTls({ port, host: '127.0.0.1', servername: 'localhost', ca: authority })
    : connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  let text = ''
  let check = () => {}
  socket.on('data', (chunk) => {
    text += chunk
    check()
  })
  socket.on('error', () => {})
  const ended = new Promise<string>((resolve) => socket.on('close', () => resolve(text)))
  return {
    send: (bytes: string) => void socket.write(bytes),
    come: (expected: string) =>
      new Promise<void>((resolve) => {
        check = () => {
          if (!text.includes(expected)) return
          check = () => {}
          resolve()
        }
        check()
      }),
    ended: () => ended,
  }
}

const statusesOf = (text: string) =>
  [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))
const isCloseAnnounced = (text: string) => /^connection: close\r$/im.test(text)

const HOST = 'Host: localhost\r\n'
const DELETE = `DELETE /a HTTP/1.1\r\n${HOST}Content-Type: application/json\r\n\r\n`
const BODY = '{"id":5}'
const BEHIND = `\r\nGET /behind HTTP/1.1\r\n${HOST}\r\n`
const POST = `POST /post HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\n`

/** A promise that the test fulfils. */
const gate = () => Promise.withResolvers<void>()

describe.each([
  ['HTTP', false],
  ['HTTPS', true],
])('Over %s, bytes of no request behind a complete one', (_name, isTls) => {
  test('do not prevent its answer, which announces the end of the connection', async () => {
    const { open, reached } = await serve(
      isTls,
      (_, response) => void setImmediate(() => response.end('done')),
    )
    const connection = open()
    connection.send(DELETE + BODY + BEHIND)
    const text = await connection.ended()
    expect([statusesOf(text), isCloseAnnounced(text)]).toEqual([[200], true])
    expect(reached).toEqual(['DELETE /a'])
  })

  test('may arrive later, before the answer', async () => {
    const { promise, resolve } = gate()
    const { open, reached } = await serve(isTls, async (_, response) => {
      await promise
      response.end('done')
    })
    const connection = open()
    connection.send(DELETE)
    await expect.poll(() => reached).toEqual(['DELETE /a'])
    for (const bytes of [BODY, BODY, BEHIND]) {
      connection.send(bytes)
      await new Promise((done) => setTimeout(done, 20))
    }
    resolve()
    const text = await connection.ended()
    expect([statusesOf(text), isCloseAnnounced(text)]).toEqual([[200], true])
    expect(reached).toEqual(['DELETE /a'])
  })

  test('close the connection without a second answer, if they arrive after the first', async () => {
    const { open, reached } = await serve(isTls, (_, response) => void response.end('done'))
    const connection = open()
    connection.send(DELETE)
    await connection.come('done')
    connection.send(BODY + BEHIND)
    expect(statusesOf(await connection.ended())).toEqual([200])
    expect(reached).toEqual(['DELETE /a'])
  })

  test('leave a streamed answer whole, and close the connection behind it', async () => {
    const { promise, resolve } = gate()
    const { open, reached } = await serve(isTls, async (_, response) => {
      response.write('first ')
      await promise
      response.end('last')
    })
    const connection = open()
    connection.send(DELETE)
    await connection.come('first ')
    connection.send(BODY)
    connection.send(BEHIND)
    await new Promise((done) => setTimeout(done, 20))
    resolve()
    expect((await connection.ended()).split('\r\n\r\n').slice(1).join('\r\n\r\n')).toBe(
      '6\r\nfirst \r\n4\r\nlast\r\n0\r\n\r\n',
    )
    expect(reached).toEqual(['DELETE /a'])
  })

  test('do not cut an answer that is written but not sent', async () => {
    const large = 'x'.repeat(8_000_000)
    const { open } = await serve(isTls, (_, response) => void response.end(large))
    const connection = open()
    connection.send(DELETE + BODY)
    await connection.come('x')
    connection.send(BODY)
    expect((await connection.ended()).length).toBeGreaterThan(large.length)
  })

  test('come after the answers of all requests before them', async () => {
    const { promise, resolve } = gate()
    const { open, reached } = await serve(isTls, async ({ url }, response) => {
      if (url === '/slow') await promise
      response.end(`done ${url}`)
    })
    const connection = open()
    connection.send(`GET /slow HTTP/1.1\r\n${HOST}\r\n${DELETE}`)
    await expect.poll(() => reached).toEqual(['GET /slow', 'DELETE /a'])
    connection.send(BODY + BEHIND)
    await new Promise((done) => setTimeout(done, 20))
    resolve()
    const text = await connection.ended()
    expect(text.match(/done .(slow|a)/g)).toEqual(['done /slow', 'done /a'])
    expect(reached).toEqual(['GET /slow', 'DELETE /a'])
  })

  test('are not answered in place of an earlier request, if they are in the body of the next', async () => {
    const { promise, resolve } = gate()
    const { open, reached } = await serve(isTls, async (request, response) => {
      if (request.method === 'POST') return
      await promise
      response.end('done')
    })
    const connection = open()
    connection.send(`${DELETE}${POST}zz\r\n`)
    await expect.poll(() => reached).toEqual(['DELETE /a', 'POST /post'])
    resolve()
    const text = await connection.ended()
    expect([statusesOf(text), text.endsWith('done')]).toEqual([[200], true])
  })
})

describe('Bytes of no request', () => {
  test('in a body whose answer has begun end the connection without a second answer', async () => {
    const { open } = await serve(false, (_, response) => void response.write('early'))
    const connection = open()
    connection.send(POST)
    await connection.come('early')
    connection.send('zz\r\n')
    expect(statusesOf(await connection.ended())).toEqual([200])
  })

  test('are refused behind an answered request whose end is certain', async () => {
    const { open, reached } = await serve(false, (_, response) => void response.end('done'))
    const connection = open()
    connection.send(`POST /post HTTP/1.1\r\n${HOST}Content-Length: 0\r\n\r\n`)
    await connection.come('done')
    connection.send(BODY + BEHIND)
    expect(statusesOf(await connection.ended())).toEqual([200, 400])
    expect(reached).toEqual(['POST /post'])
  })
})
