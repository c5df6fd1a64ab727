import { connect, type Socket } from 'node:net'
import { createHistogram } from 'node:perf_hooks'

/**
 * Sends requests on persistent connections, one at a time per connection. It sends prepared bytes and parses as little
 * as possible, because the measured server shares two cores with it, and an ordinary client needs as much time as the
 * floor. A request can depend on the previous answer, as in a chain of refresh tokens.
 */
export interface Caller {
  /** The bytes of the next request; undefined at the end. */
  next(): Buffer | undefined
  /** Receives the answer, for callers whose next request depends on it. */
  answered?(body: string): void
}

export interface Measured {
  requests: number
  per_second: number
  p50_ms: number
  p99_ms: number
  errors: number
  /** The first answer that was not 200. */
  first_error: string | undefined
}

/** Runs all callers for this many seconds, each on its own connection, and waits for the last answers. */
export async function load(port: number, callers: Caller[], seconds: number): Promise<Measured> {
  const run: Run = { latency: createHistogram(), requests: 0, errors: 0, first_error: undefined, until: 0 }
  const sockets = await Promise.all(callers.map(() => open(port)))
  const began = performance.now()
  run.until = began + seconds * 1000
  await Promise.all(callers.map((caller, i) => converse(port, sockets[i] as Socket, caller, run)))
  const took = (performance.now() - began) / 1000
  const { latency, requests, errors, first_error } = run
  const p50_ms = latency.percentile(50) / 1e6
  const p99_ms = latency.percentile(99) / 1e6
  return { requests, per_second: requests / took, p50_ms, p99_ms, errors, first_error }
}

interface Run {
  latency: ReturnType<typeof createHistogram>
  requests: number
  errors: number
  first_error: string | undefined
  until: number
}

const open = (port: number): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    socket.once('connect', () => resolve(socket)).once('error', reject)
  })

async function converse(port: number, socket: Socket, caller: Caller, run: Run): Promise<void> {
  let current: Socket | undefined = socket
  // A server can announce the end of a connection after some thousand requests. The caller then continues on a new one.
  while (current) current = (await talk(current, caller, run)) ? await open(port) : undefined
}

/** Sends requests until the time or the requests end. Returns true if the server ended the connection earlier. */
function talk(socket: Socket, caller: Caller, run: Run): Promise<boolean> {
  return new Promise((resolve, reject) => {
    let sent = 0
    let pending: Buffer | undefined
    const end = (again: boolean) => {
      socket.removeAllListeners().on('error', () => {})
      socket.destroy()
      resolve(again)
    }
    const ask = () => {
      const request = performance.now() < run.until ? caller.next() : undefined
      if (!request) return end(false)
      sent = performance.now()
      socket.write(request)
    }
    socket.on('data', (chunk: Buffer) => {
      const bytes = pending ? Buffer.concat([pending, chunk]) : chunk
      const answer = readAnswer(bytes)
      pending = answer ? undefined : bytes
      if (!answer) return
      count(run, answer, sent)
      if (answer.status === 200) caller.answered?.(answer.body)
      if (answer.closes) end(true)
      else ask()
    })
    socket.on('error', reject).on('close', () => reject(new Error('the server closed a connection')))
    ask()
  })
}

function count(run: Run, { status, body }: Answer, sent: number): void {
  run.requests++
  run.latency.record(Math.max(1, Math.round((performance.now() - sent) * 1e6)))
  if (status === 200) return
  run.errors++
  run.first_error ??= `${status} ${body.slice(0, 300)}`
}

interface Answer {
  status: number
  body: string
  closes: boolean
  has_retry_after: boolean
}

/** An answer with Content-Length; undefined while it is incomplete. */
export function readAnswer(bytes: Buffer): Answer | undefined {
  const headEnd = bytes.indexOf('\r\n\r\n')
  if (headEnd < 0) return undefined
  const head = bytes.toString('latin1', 0, headEnd)
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
  if (length === undefined) throw new Error(`an answer without Content-Length: ${head}`)
  const bodyEnd = headEnd + 4 + Number(length)
  if (bytes.length < bodyEnd) return undefined
  const closes = /\r\nconnection: *close/i.test(head)
  const has_retry_after = /\r\nretry-after: *\d/i.test(head)
  const body = bytes.toString('utf8', headEnd + 4, bodyEnd)
  return { status: Number(head.slice(9, 12)), body, closes, has_retry_after }
}

/** The bytes of a request. With a body of JSON, it is a POST unless the method is named. */
export function requestBytes(
  path: string,
  headers: Record<string, string>,
  body?: object,
  method = body ? 'POST' : 'GET',
): Buffer {
  const text = body ? JSON.stringify(body) : ''
  const all = body
    ? { ...headers, 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) }
    : headers
  const lines = Object.entries({ host: '127.0.0.1', ...all }).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${text}`)
}
