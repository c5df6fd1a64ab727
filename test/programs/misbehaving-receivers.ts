import { createServer, type Socket } from 'node:net'
import { createServer as createTls } from 'node:tls'
import { gzipSync } from 'node:zlib'
import { onTestFinished } from 'vitest'
import { makeCertificates } from './certificates.ts'

/** The behaviour of a bad receiver after it has read a complete request. */
export type Behaviour = (socket: Socket, nth: number) => void

/** The expected outcome of a delivery. */
export interface MisbehavingReceiver {
  behave: Behaviour
  state: 'delivered' | 'failed'
  tries: number
  /** The status of a 2xx answer, or the reason of the failure. */
  end: number | 'exhausted' | 'refused' | 'gone'
  /** The logged error of the last attempt. */
  error?: string
  secure?: boolean
}

const empty = (status: number, headers = '') =>
  `HTTP/1.1 ${status} Status\r\ncontent-length: 0\r\n${headers}\r\n`
const ok = 'HTTP/1.1 200 OK\r\n'
const answer =
  (text: string): Behaviour =>
  (socket) =>
    socket.end(text)

const flood = (socket: Socket, text: string) => {
  const more = () => {
    while (!socket.destroyed && socket.write(text)) {}
  }
  socket.on('drain', more)
  more()
}
const drip = (socket: Socket, text: string, every_ms: number) => {
  const timer = setInterval(() => socket.write(text), every_ms)
  socket.on('close', () => clearInterval(timer))
}

const delivered = (behave: Behaviour, status = 200): MisbehavingReceiver => ({
  ...{ behave, state: 'delivered', tries: 1, end: status },
})
const given_up = (behave: Behaviour, error?: string): MisbehavingReceiver => ({
  ...{ behave, state: 'failed', tries: 11, end: 'exhausted' },
  ...(error && { error }),
})
const refused = (status: number): MisbehavingReceiver => ({
  ...{ behave: answer(empty(status)), state: 'failed', tries: 3, end: 'refused' },
})

const bomb = gzipSync(Buffer.alloc(10 << 20))
const date = 'Retry-After: Sun, 01 Mar 2026 12:00:30 GMT\r\n'

/** Bad receivers, and some that only seem bad, with the outcomes that C7 defines. */
export const misbehavingReceivers: Record<string, MisbehavingReceiver> = {
  'a 204': delivered(answer('HTTP/1.1 204 No Content\r\n\r\n'), 204),
  'a permanent redirect': given_up(answer(empty(301, 'location: http://127.0.0.1:1/\r\n'))),
  'a redirect that keeps the method': given_up(answer(empty(307, 'location: /elsewhere\r\n'))),
  'a 400': refused(400),
  'a 401': refused(401),
  'a 404': refused(404),
  'a 410': { behave: answer(empty(410)), state: 'failed', tries: 1, end: 'gone' },
  'a 408': given_up(answer(empty(408))),
  'a 429': given_up(answer(empty(429))),
  'a 429 with seconds': given_up(answer(empty(429, 'Retry-After: 90\r\n'))),
  'a 429 with a date': given_up(answer(empty(429, date))),
  'a 429 with an invalid Retry-After': given_up(answer(empty(429, 'Retry-After: tomorrow, perhaps\r\n'))),
  'a 503 with an extremely long Retry-After': given_up(answer(empty(503, 'Retry-After: 999999999\r\n'))),
  'a 500': given_up(answer(empty(500))),
  'a 502, then a 200': { ...delivered((s, n) => s.end(empty(n > 1 ? 200 : 502))), tries: 2 },
  silence: given_up(() => {}, 'timeout'),
  'a head that comes byte by byte': given_up((socket) => {
    socket.write(ok)
    drip(socket, 'x', 20)
  }, 'timeout'),
  'a body that comes byte by byte': given_up((socket) => {
    socket.write(`${ok}content-length: 1000\r\n\r\n`)
    drip(socket, 'x', 20)
  }, 'timeout'),
  'an endless body': delivered((socket) => {
    socket.write(`${ok}\r\n`)
    flood(socket, 'x'.repeat(10_000))
  }),
  'a gzip bomb': delivered((socket) => {
    socket.write(`${ok}content-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`)
    socket.end(bomb)
  }),
  'a reset': given_up((socket) => socket.resetAndDestroy(), 'reset'),
  'a reset within the body': given_up((socket) => {
    socket.write(`${ok}content-length: 100\r\n\r\nhalf`, () => socket.resetAndDestroy())
  }, 'reset'),
  'a connection that is closed without an answer': given_up((socket) => socket.end(), 'reset'),
  'a truncated answer': given_up(answer(`${ok}content-length: 100\r\n\r\nhalf`), 'reset'),
  'a certificate of an unknown authority': { ...given_up(answer(empty(200)), 'tls'), secure: true },
  'a stream of interim answers': given_up((s) => flood(s, 'HTTP/1.1 100 Continue\r\n\r\n'), 'protocol'),
  'a header of one megabyte': given_up(answer(`${ok}x: ${'y'.repeat(1 << 20)}\r\n\r\n`), 'protocol'),
  'endless headers': given_up((socket) => {
    socket.write(ok)
    flood(socket, `x-${'y'.repeat(1000)}: z\r\n`)
  }, 'protocol'),
  'a protocol other than HTTP': given_up(answer('SSH-2.0-OpenSSH_9.9\r\n'), 'protocol'),
  'a persistent connection that is reset': delivered((socket) => {
    socket.write(`${ok}connection: keep-alive\r\ncontent-length: 2\r\n\r\nok`, () => socket.resetAndDestroy())
  }),
}

/** Starts a receiver with this behaviour, and counts its open connections. */
export async function startReceiver({ behave, secure }: Pick<MisbehavingReceiver, 'behave' | 'secure'>) {
  const open = new Set<Socket>()
  let heard = 0
  const serve = (socket: Socket) => {
    open.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => open.delete(socket))
    socket.on('end', () => socket.end())
    let said = ''
    socket.on('data', (chunk) => {
      if (said === 'all') return
      said += chunk.toString('latin1')
      const head = said.indexOf('\r\n\r\n')
      const length = Number(/content-length: (\d+)/i.exec(said)?.[1] ?? 0)
      if (head < 0 || said.length < head + 4 + length) return
      said = 'all'
      behave(socket, ++heard)
    })
  }
  const server = secure
    ? createTls({ ...makeCertificates(['127.0.0.1']).server }, serve).on('tlsClientError', () => {})
    : createServer({ allowHalfOpen: true }, serve)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of open) socket.destroy()
    server.close()
  })
  const { port } = server.address() as { port: number }
  const connections = () =>
    new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count)))
  return { url: `http${secure ? 's' : ''}://127.0.0.1:${port}/hook`, connections }
}
