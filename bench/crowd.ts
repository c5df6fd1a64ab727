import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { readAnswer, requestBytes } from './load.ts'

/** The outcome of a request. */
export interface Reply {
  /** 0 without an answer. */
  status: number
  ms: number
  /** Whether the answer has a retry time. */
  has_retry_after: boolean
}

/** A server limits the connections per address, so a crowd uses several. */
const ADDRESSES = ['127.0.0.2', '127.0.0.3', '127.0.0.4', '127.0.0.5']

/** A persistent connection with one request at a time. */
class Connection {
  readonly #port: number
  readonly #localAddress: string
  #socket: Socket | undefined
  isBusy = false

  constructor(port: number, n: number) {
    this.#port = port
    this.#localAddress = ADDRESSES[n % ADDRESSES.length] as string
  }

  /** Connects if necessary, sends, and waits for the answer for at most `patience` milliseconds. */
  ask(request: Buffer, patience: number): Promise<Reply> {
    const began = performance.now()
    this.isBusy = true
    return new Promise((resolve) => {
      const end = (status: number, has_retry_after: boolean, keep: boolean) => {
        clearTimeout(timer)
        socket.removeAllListeners().on('error', () => {})
        if (!keep) this.close()
        this.isBusy = false
        resolve({ status, ms: performance.now() - began, has_retry_after })
      }
      const timer = setTimeout(() => end(0, false, false), patience)
      const { socket } = this
      let bytes: Buffer = Buffer.alloc(0)
      socket.on('data', (chunk: Buffer) => {
        bytes = bytes.length > 0 ? Buffer.concat([bytes, chunk]) : chunk
        const answer = readAnswer(bytes)
        if (answer) end(answer.status, answer.has_retry_after, !answer.closes)
      })
      socket.on('error', () => end(0, false, false)).on('close', () => end(0, false, false))
      socket.write(request)
    })
  }

  get socket(): Socket {
    // The server closes connections that are idle.
    if (!this.#socket?.writable)
      this.#socket = connect({
        port: this.#port,
        host: '127.0.0.1',
        localAddress: this.#localAddress,
        noDelay: true,
      })
    return this.#socket
  }

  close(): void {
    this.#socket?.destroy()
    this.#socket = undefined
  }
}

const PATIENCE_MS = 12_000

/** Opens all connections at once, each with one request. */
export async function crowd(port: number, request: Buffer, connections: number): Promise<Reply[]> {
  const all = Array.from({ length: connections }, (_, n) => new Connection(port, n))
  const replies = await Promise.all(all.map((connection) => connection.ask(request, PATIENCE_MS)))
  for (const connection of all) connection.close()
  return replies
}

export interface Flood {
  per_second: number
  seconds: number
  /** The maximum number of unanswered requests. Above it, requests are skipped. */
  outstanding: number
}

/** Sends one request, or what a function returns, at a fixed rate, regardless of the answers. */
export async function flood(
  port: number,
  request: Buffer | (() => Buffer),
  options: Flood,
): Promise<Reply[]> {
  const idle = Array.from({ length: options.outstanding }, (_, n) => new Connection(port, n))
  const all = [...idle]
  const replies: Promise<Reply>[] = []
  const began = performance.now()
  for (;;) {
    const passed = (performance.now() - began) / 1000
    if (passed >= options.seconds) break
    let due = Math.floor(passed * options.per_second) - replies.length
    for (let connection = idle.pop(); connection; connection = due > 0 ? idle.pop() : undefined) {
      const one = connection
      replies.push(
        one.ask(typeof request === 'function' ? request() : request, PATIENCE_MS).then((reply) => {
          idle.push(one)
          return reply
        }),
      )
      due--
    }
    await sleep(5)
  }
  const answered = await Promise.all(replies)
  for (const connection of all) connection.close()
  return answered
}

/** Requests `/healthz` on a new connection ten times a second, until it is stopped. */
export function probe(port: number): { stop(): Promise<Reply[]> } {
  const request = requestBytes('/healthz', { connection: 'close' })
  const replies: Promise<Reply>[] = []
  const timer = setInterval(() => replies.push(new Connection(port, 3).ask(request, 5_000)), 100)
  return {
    stop: () => {
      clearInterval(timer)
      return Promise.all(replies)
    },
  }
}
