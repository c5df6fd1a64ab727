import { createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { afterAll, describe, expect, test } from 'vitest'
import {
  createOutbound,
  type OutboundAnswer,
  OutboundError,
  type OutboundRequest,
  TIME_LIMITS,
  type TimeLimits,
} from './http-client.ts'

/** Some of these tests run concurrently: everything is closed after the last one. */
const cleanup: (() => unknown)[] = []
afterAll(async () => {
  for (const close of cleanup) await close()
})

/** A receiver with a given behaviour, which records requests and open connections. */
async function receiver(behave: (socket: Socket, said: string) => void) {
  const heard: string[] = []
  const open = new Set<Socket>()
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    open.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => open.delete(socket))
    socket.on('end', () => socket.end())
    let said = ''
    socket.on('data', (chunk) => {
      said += chunk.toString('latin1')
      const head = said.indexOf('\r\n\r\n')
      const length = Number(/content-length: (\d+)/i.exec(said)?.[1] ?? 0)
      if (head < 0 || said.length < head + 4 + length) return
      heard.push(Buffer.from(said, 'latin1').toString())
      behave(socket, said)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  cleanup.push(() => {
    for (const socket of open) socket.destroy()
    server.close()
  })
  const { port } = server.address() as { port: number }
  return { url: `http://127.0.0.1:${port}/hook`, heard, open, server }
}

function outbound(limits?: TimeLimits) {
  const out = createOutbound({ allow: ['127.0.0.0/8'], limits })
  cleanup.push(() => out.close())
  return out
}

async function ask(
  url: string,
  more: Partial<OutboundRequest> = {},
  limits?: TimeLimits,
): Promise<OutboundAnswer> {
  return outbound(limits).request({ method: 'GET', url, ...more })
}

async function reasonOf(answer: Promise<OutboundAnswer>): Promise<string> {
  return answer.then(
    ({ status }) => `answered ${status}`,
    (error) => (error instanceof OutboundError ? error.reason : `not ours: ${String(error)}`),
  )
}

const ok = 'HTTP/1.1 200 OK\r\n'
const repeat = (socket: Socket, text: string, every_ms: number) => {
  const timer = setInterval(() => socket.write(text), every_ms)
  socket.on('close', () => clearInterval(timer))
}
const flood = (socket: Socket, text: string) => {
  const more = () => {
    while (!socket.destroyed && socket.write(text)) {}
  }
  socket.on('drain', more)
  more()
}

type Behaviour = (socket: Socket, said: string) => void

/** Behaviours of receivers, and the resulting answers. */
const answering: Record<string, [Behaviour, Pick<OutboundAnswer, 'status' | 'body'>]> = {
  'a plain answer': [(s) => s.end(`${ok}content-length: 2\r\n\r\nok`), { status: 200, body: 'ok' }],
  'no content': [(s) => s.end('HTTP/1.1 204 No Content\r\n\r\n'), { status: 204, body: '' }],
  'an answer that ends with the connection': [
    (s) => s.end(`${ok}\r\nto the end`),
    { status: 200, body: 'to the end' },
  ],
  chunks: [
    (s) => s.end(`${ok}transfer-encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n`),
    { status: 200, body: 'abc' },
  ],
  'an answer on a connection that stays open': [
    (s) => s.write(`${ok}connection: keep-alive\r\ncontent-length: 2\r\n\r\nok`),
    { status: 200, body: 'ok' },
  ],
  'a second answer that nobody asked for': [
    (s) => s.write(`${ok}content-length: 1\r\n\r\nAHTTP/1.1 500 No\r\ncontent-length: 1\r\n\r\nB`),
    { status: 200, body: 'A' },
  ],
  'interim answers first': [
    (s) =>
      s.end(
        `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n${ok}content-length: 2\r\n\r\nok`,
      ),
    { status: 200, body: 'ok' },
  ],
  'a 410': [(s) => s.end('HTTP/1.1 410 Gone\r\ncontent-length: 0\r\n\r\n'), { status: 410, body: '' }],
  'a 500': [
    (s) => s.end('HTTP/1.1 500 Oops\r\ncontent-length: 4\r\n\r\noops'),
    { status: 500, body: 'oops' },
  ],
  'a status without a meaning': [
    (s) => s.end('HTTP/1.1 799 Hm\r\ncontent-length: 0\r\n\r\n'),
    { status: 799, body: '' },
  ],
}

/** Failures of receivers, and the resulting reasons. */
const failing: Record<string, [Behaviour, string]> = {
  'a reset': [(s) => s.resetAndDestroy(), 'reset'],
  'a reset in the middle of the head': [
    (s) => s.write(`${ok}content-le`, () => s.resetAndDestroy()),
    'reset',
  ],
  'a reset in the middle of the body': [
    (s) => s.write(`${ok}content-length: 100\r\n\r\nhalf`, () => s.resetAndDestroy()),
    'reset',
  ],
  'an end without an answer': [(s) => s.end(), 'reset'],
  'an end in the middle of the head': [(s) => s.end(`${ok}content-le`), 'reset'],
  'an end in the middle of the body': [(s) => s.end(`${ok}content-length: 100\r\n\r\nhalf`), 'reset'],
  'an end in the middle of a chunk': [
    (s) => s.end(`${ok}transfer-encoding: chunked\r\n\r\nff\r\nabc`),
    'reset',
  ],
  'what is not HTTP': [(s) => s.end('SSH-2.0-OpenSSH_9.9\r\n'), 'protocol'],
  'HTTP without a head': [(s) => s.end('<html>hello</html>'), 'protocol'],
  'two lengths': [(s) => s.end(`${ok}content-length: 1\r\ncontent-length: 2\r\n\r\nab`), 'protocol'],
  'a length and chunks': [
    (s) => s.end(`${ok}content-length: 3\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`),
    'protocol',
  ],
  'a head without end': [(s) => flood(s, `x-${'y'.repeat(1000)}: z\r\n`), 'protocol'],
  'an answer with an endless head': [
    (s) => {
      s.write(ok)
      flood(s, `x-${'y'.repeat(1000)}: z\r\n`)
    },
    'protocol',
  ],
  'a header of a megabyte': [(s) => s.end(`${ok}x: ${'y'.repeat(1 << 20)}\r\n\r\n`), 'protocol'],
  'endless trailers': [
    (s) => {
      s.write(`${ok}transfer-encoding: chunked\r\n\r\n1\r\na\r\n0\r\n`)
      flood(s, `x-${'y'.repeat(1000)}: z\r\n`)
    },
    'reset',
  ],
  'a storm of interim answers': [(s) => flood(s, 'HTTP/1.1 100 Continue\r\n\r\n'), 'protocol'],
  'another protocol': [
    (s) => s.write('HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n'),
    'protocol',
  ],
}

/** CPU time limit of a request that fails at once. */
const MOST_WORK_MS = 1000

describe('the answers of receivers', () => {
  test.each(Object.keys(answering))('%s is an answer', async (name) => {
    const [behave, expected] = answering[name] as (typeof answering)[string]
    const { url, open } = await receiver(behave)
    const { status, body } = await ask(url)
    expect({ status, body }).toEqual(expected)
    await expect.poll(() => open.size).toBe(0)
  })

  test.each(Object.keys(failing))('%s is a failure, and its connection is closed', async (name) => {
    const [behave, reason] = failing[name] as (typeof failing)[string]
    const { url, open } = await receiver(behave)
    const before = process.threadCpuUsage()
    expect(await reasonOf(ask(url))).toBe(reason)
    // CPU time, because other work slows the clock time. It includes the receiver, and shows that a flood is not read on.
    const { user, system } = process.threadCpuUsage(before)
    expect((user + system) / 1000).toBeLessThan(MOST_WORK_MS)
    await expect.poll(() => open.size).toBe(0)
  })

  test('a closed port is a failure to connect', async () => {
    const { url, server } = await receiver(() => {})
    await new Promise((resolve) => server.close(resolve))
    expect(await reasonOf(ask(url))).toBe('connect')
  })

  test('a closed port of a name with two addresses is named', async () => {
    const { url, server } = await receiver(() => {})
    await new Promise((resolve) => server.close(resolve))
    const port = Number(new URL(url).port)
    const addresses = ['127.0.0.1', '127.0.0.2']
    const out = createOutbound({
      allow: ['127.0.0.0/8'],
      resolve: async () => addresses,
    })
    cleanup.push(() => out.close())
    const failed = out.request({ method: 'GET', url: `http://two.example:${port}` })
    await expect(failed).rejects.toThrow(
      addresses.map((address) => `ECONNREFUSED ${address}:${port}`).join(', '),
    )
  })

  test.each([301, 302, 303, 307, 308, 300, 304])('a %d is not followed', async (status) => {
    const canary = await receiver((s) => s.end(`${ok}\r\n`))
    const { url, heard } = await receiver((s) =>
      s.end(
        `HTTP/1.1 ${status} Elsewhere\r\nlocation: ${canary.url}\r\nrefresh: 0; url=${canary.url}\r\ncontent-length: 0\r\n\r\n`,
      ),
    )
    const answer = await ask(url, { method: 'POST', body: 'x' })
    expect([answer.status, answer.headers.location]).toEqual([status, canary.url])
    await sleep(50)
    expect([heard.length, canary.heard.length]).toEqual([1, 0])
  })

  test('a page that refreshes itself is not followed either', async () => {
    const canary = await receiver((s) => s.end(`${ok}\r\n`))
    const { url } = await receiver((s) => s.end(`${ok}refresh: 0; url=${canary.url}\r\n\r\n`))
    expect((await ask(url)).status).toBe(200)
    await sleep(50)
    expect(canary.heard).toEqual([])
  })
})

describe('reading an answer', () => {
  test.each(['content-length: 100000000000\r\n', ''])(
    'an endless body is cut at 64 KiB (%j)',
    async (length) => {
      const { url, open } = await receiver((s) => {
        s.write(`${ok}${length}\r\n`)
        flood(s, 'x'.repeat(10_000))
      })
      const { status, body } = await ask(url)
      expect([status, body.length]).toEqual([200, 65_536])
      await expect.poll(() => open.size).toBe(0)
    },
  )

  test('a compressed body is not decompressed', async () => {
    const bomb = gzipSync(Buffer.alloc(10 << 20))
    const { url, heard } = await receiver((s) => {
      s.write(`${ok}content-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`)
      s.end(bomb)
    })
    const { body } = await ask(url)
    expect(body.length).toBeLessThanOrEqual(bomb.length)
    expect(heard[0]).toContain('accept-encoding: identity')
  })

  test('headers come in lower case, repeated ones joined', async () => {
    const { url } = await receiver((s) =>
      s.end(`${ok}Set-Cookie: a=1\r\nSet-Cookie: b=2\r\nRetry-After: 7\r\n\r\n`),
    )
    expect((await ask(url)).headers).toEqual({ 'set-cookie': 'a=1, b=2', 'retry-after': '7' })
  })
})

describe('sending a request', () => {
  test('the request is sent as given, with only Host, User-Agent and framing added', async () => {
    const { url, heard } = await receiver((s) => s.end(`${ok}\r\n`))
    const headers = {
      'X-Signature': 'abc',
      'content-type': 'application/json',
      host: 'evil.example',
      Connection: 'upgrade',
    }
    await ask(`${url}?a=%20b#fragment`, { method: 'POST', headers, body: '{"é":1}' })
    const host = new URL(url).host
    expect(heard[0]?.split('\r\n').sort()).toEqual(
      [
        ...[
          'POST /hook?a=%20b HTTP/1.1',
          `host: ${host}`,
          'user-agent: Patchbay',
          'accept-encoding: identity',
        ],
        ...['content-length: 8', 'X-Signature: abc', 'content-type: application/json', 'Connection: close'],
        ...['', '{"é":1}'],
      ].sort(),
    )
  })

  test('each request that nobody repeats has a connection of its own', async () => {
    const { url } = await receiver((s) =>
      s.write(
        `${ok}connection: keep-alive\r\ncontent-length: ${`${s.remotePort}`.length}\r\n\r\n${s.remotePort}`,
      ),
    )
    const out = outbound()
    const ports = new Set<string>()
    for (let i = 0; i < 5; i++) ports.add((await out.request({ method: 'GET', url })).body)
    expect(ports.size).toBe(5)
  })

  test('a header that cannot be sent is a failure, not a fault', async () => {
    const { url } = await receiver((s) => s.end(`${ok}\r\n`))
    expect(await reasonOf(ask(url, { headers: { 'x-bad': 'a\r\nb: c' } }))).toBe('protocol')
  })
})

/** Shorter limits than those of the program. */
const limits: TimeLimits = { total: 500, dns: 100, connect: 150, headers: 250 }

/** Timers are late when the event loop is; the compared ones are late too. */
const LATE_MS = 900
const late = (ms: number) => sleep(ms + LATE_MS, 'late', { ref: false })

describe.concurrent('the time limits', () => {
  const timesOut = async (ms: number, behave: Behaviour, more: Partial<OutboundRequest> = {}) => {
    const isLate = Promise.withResolvers<string>()
    const { url, open } = await receiver((socket, said) => {
      isLate.resolve(late(ms))
      behave(socket, said)
    })
    const started = performance.now()
    const error = await Promise.race([ask(url, more, limits).catch((e) => e), isLate.promise])
    const took = performance.now() - started
    expect([error.reason, Math.abs(error.duration_ms - took) < 200]).toEqual(['timeout', true])
    expect(took).toBeGreaterThanOrEqual(ms - 20)
    for (let i = 0; open.size > 0 && i < 20; i++) await sleep(50)
    expect(open.size).toBe(0)
  }
  const ends = async (ms: number, answer: Promise<OutboundAnswer>, reason: string) => {
    const started = performance.now()
    expect(await Promise.race([reasonOf(answer), late(ms)])).toBe(reason)
    expect(performance.now() - started).toBeGreaterThanOrEqual(ms - 20)
  }

  test('are 10 s in total, 2 s for the name, 3 s for the connection and 5 s for the head of the answer', () => {
    expect(TIME_LIMITS).toEqual({ total: 10_000, dns: 2_000, connect: 3_000, headers: 5_000 })
  })

  test('end the wait for the head of the answer', () => timesOut(limits.headers, () => {}))

  test('end a head that comes byte by byte', () =>
    timesOut(limits.headers, (s) => {
      s.write(ok)
      repeat(s, 'x', 100)
    }))

  test('end a body that comes byte by byte', () =>
    timesOut(limits.total, (s) => {
      s.write(`${ok}content-length: 1000\r\n\r\n`)
      repeat(s, 'x', 100)
    }))

  test('end endless chunks of one byte', () =>
    timesOut(limits.total, (s) => {
      s.write(`${ok}transfer-encoding: chunked\r\n\r\n`)
      repeat(s, '1\r\nx\r\n', 50)
    }))

  test('can be shortened by the caller', () => timesOut(100, () => {}, { timeout_ms: 100 }))

  test('can be lengthened for the head of the answer by the caller', async () => {
    const { url } = await receiver((socket) => void setTimeout(() => socket.end(`${ok}\r\n`), 200))
    const short = { ...limits, total: 5_000, headers: 50 }
    expect(await reasonOf(ask(url, {}, short))).toBe('timeout')
    expect(await reasonOf(ask(url, { head_ms: 4_000 }, short))).toBe('answered 200')
  })

  test('end a TLS handshake that never begins', async () => {
    const { url } = await receiver(() => {})
    await ends(limits.connect, ask(url.replace('http:', 'https:'), {}, limits), 'timeout')
  })

  test('end the resolution of a name', async () => {
    const out = createOutbound({ allow: [], resolve: () => new Promise(() => {}), limits })
    await ends(limits.dns, out.request({ method: 'GET', url: 'http://slow.example/' }), 'dns')
  })
})

describe('stopping', () => {
  test('running requests are aborted, later ones are refused, and no connection stays', async () => {
    const { url, open, heard } = await receiver(() => {})
    const out = createOutbound({ allow: ['127.0.0.0/8'] })
    const asked = Array.from({ length: 6 }, () => reasonOf(out.request({ method: 'GET', url })))
    await expect.poll(() => heard.length).toBe(4)
    await out.close()
    expect(await Promise.all(asked)).toEqual(Array(6).fill('reset'))
    expect(await reasonOf(out.request({ method: 'GET', url }))).toBe('reset')
    await expect.poll(() => open.size).toBe(0)
    expect(heard).toHaveLength(4)
  })
})
