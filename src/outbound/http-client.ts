import { once } from 'node:events'
import type { ClientRequest, IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { request as httpRequest } from '../node-http.ts'
import { ConcurrencyLimiter } from './concurrency-limiter.ts'
import { ConnectionPool, type PooledRequest } from './connection-pool.ts'
import {
  createResolve,
  findAllowedAddresses,
  OutboundError,
  type OutboundReason,
  parseRanges,
  type Resolve,
  readTarget,
  type Target,
} from './egress-policy.ts'

export { OutboundError, type OutboundReason } from './egress-policy.ts'

/**
 * The only client for URLs that others configure. It must not reach private networks (S8). Before each request it
 * resolves the name, judges every address, and passes only the allowed ones to the socket, so no second lookup can return
 * another address. A literal address in a URL is judged in the same way. A request uses an idle connection only if it leads
 * to one of these addresses.
 *
 * It uses node:http instead of undici, because undici treats an unsolicited `100 Continue` as a failure, and some servers
 * send one.
 */
export interface Outbound {
  /** Throws OutboundError when there is no answer. An answer with any status is an answer; redirects are not followed. */
  request(request: OutboundRequest): Promise<OutboundAnswer>
  /** Refuses new requests, aborts the running ones, and waits until they have ended. */
  close(): Promise<void>
}

export interface OutboundRequest {
  method: 'GET' | 'HEAD' | 'POST'
  url: string
  headers?: Record<string, string>
  body?: string
  /** For the whole request; default 10,000. The wait for a free connection can take the same time again. */
  timeout_ms?: number
  /** For the head of the answer; default 5,000. */
  head_ms?: number | undefined
  /**
   * Whether the caller repeats it if there is no answer. Only then it can use an idle connection, which the server may be
   * closing.
   */
  is_repeated?: boolean
  /** Whose request it is; without it, the request is not recorded. */
  about?: RequestCause
}

/** The account and the cause of a request to another server. */
export interface RequestCause {
  account_id: number
  /** The kind of a delivery, or `redirect_check`, `widget_hook` or `chat_typing`. */
  kind: string
  integration_id: string | null
  request_id: string
  /** See DeliveryRow. */
  trace_context?: string | null
  /** The delivery, and the number of the attempt. */
  delivery_id?: number
  attempt?: number
  /** The body has secrets of an integration, so it is not recorded. */
  is_confidential?: boolean
}

export interface OutboundAnswer {
  status: number
  /** Names in lower case. */
  headers: Record<string, string>
  /** The first 64 KiB, as UTF-8. */
  body: string
  duration_ms: number
}

export interface OutboundOptions {
  /** CIDRs of addresses that are allowed although they are not public. */
  allow: string[]
  /** Replaces DNS. */
  resolve?: Resolve
  limits?: TimeLimits
}

/** Milliseconds for one request and for its parts. `connect` includes TLS. */
export interface TimeLimits {
  total: number
  dns: number
  connect: number
  headers: number
}

export const TIME_LIMITS: TimeLimits = { total: 10_000, dns: 2_000, connect: 3_000, headers: 5_000 }
const CONNECTIONS = { each: 4, all: 128, slow: 32 }
/** More addresses of one name are not tried. */
const MAX_ADDRESSES = 4
const MAX_BODY_BYTES = 64 * 1024
const MAX_HEADER_BYTES = 16 * 1024
/** Interim responses (100, 102, 103) before the final one. */
const MAX_INTERIM = 8
/** Callers cannot set the headers that control the connection. */
const RESERVED_HEADERS = /^(host|connection|content-length|transfer-encoding|accept-encoding)$/i

/** Throws an Error when a range of `allow` is invalid. */
export function createOutbound({
  allow,
  resolve = createResolve(),
  limits = TIME_LIMITS,
}: OutboundOptions): Outbound {
  const ranges = parseRanges(allow)
  const limiter = new ConcurrencyLimiter(CONNECTIONS)
  const pool = new ConnectionPool()
  const closing = new AbortController()
  const running = new Set<Promise<unknown>>()

  const send = async (target: Target, request: OutboundRequest, signal: AbortSignal) => {
    const addresses = await within(limits.dns, 'dns', signal, () =>
      findAllowedAddresses(target, resolve, ranges),
    )
    pool.retain(target.endpoint, request.is_repeated ? addresses : [])
    const pooled = {
      ...{ agent: pool, target, addresses: addresses.slice(0, MAX_ADDRESSES), connect_ms: limits.connect },
      ...{ method: request.method, headers: headersOf(target, request) },
      path: target.url.pathname + target.url.search,
      ...{ setHost: false, maxHeaderSize: MAX_HEADER_BYTES, insecureHTTPParser: false },
    }
    return exchange(pooled, request, limits, signal)
  }

  const sendWhenFree = async (request: OutboundRequest): Promise<OutboundAnswer> => {
    const target = readTarget(request.url)
    const limit_ms = request.timeout_ms ?? limits.total
    const release = await within(limit_ms, 'timeout', closing.signal, (signal) =>
      limiter.acquire(target.endpoint, signal),
    )
    const started = performance.now()
    const elapsed = () => Math.round(performance.now() - started)
    try {
      const answer = await within(limit_ms, 'timeout', closing.signal, (signal) =>
        send(target, request, signal),
      )
      return { ...answer, duration_ms: elapsed() }
    } catch (error) {
      const failure = asOutboundError(error)
      if (failure instanceof OutboundError) failure.duration_ms = elapsed()
      throw failure
    } finally {
      release(elapsed())
    }
  }

  return {
    request: (request) => {
      const answer = sendWhenFree(request)
      const ended = answer.catch(() => {}).finally(() => running.delete(ended))
      running.add(ended)
      return answer
    },
    close: async () => {
      closing.abort(new OutboundError('reset', 'The server is stopping.'))
      await Promise.all(running)
      pool.destroy()
    },
  }
}

/** Runs a step. Its signal aborts after `limit_ms`, or when the outer signal aborts. */
async function within<T>(
  limit_ms: number,
  reason: OutboundReason,
  outer: AbortSignal,
  step: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const limit = new AbortController()
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const abort = (error: unknown) => {
    limit.abort(error)
    reject(error)
  }
  const follow = () => abort(outer.reason)
  const timer = setTimeout(() => abort(new OutboundError(reason, `Nothing within ${limit_ms} ms.`)), limit_ms)
  outer.addEventListener('abort', follow)
  if (outer.aborted) follow()
  try {
    return await Promise.race([aborted, step(limit.signal)])
  } finally {
    clearTimeout(timer)
    outer.removeEventListener('abort', follow)
  }
}

/** Waits until a request has a connection that is open. */
async function connected(request: ClientRequest, { secure }: Target): Promise<void> {
  let reason: OutboundReason = 'connect'
  const [socket] = (await once(request, 'socket')) as [Socket]
  if (request.reusedSocket) return
  socket.once('connect', () => (reason = 'tls'))
  // Stays on the socket: without a listener, a late error would end the process.
  socket.on('error', () => {})
  try {
    await once(socket, secure ? 'secureConnect' : 'connect')
  } catch (error) {
    throw new OutboundError(reason, messageOf(error), error)
  }
}

/**
 * A name with several addresses fails with one error for each, and no message of its own. Node's messages begin with the
 * call, which the reason names already.
 */
const messageOf = (error: unknown): string =>
  error instanceof AggregateError
    ? error.errors.map(messageOf).join(', ')
    : (error as Error).message.replace(/^connect /, '')

const headersOf = (target: Target, { method, headers = {}, body = '' }: OutboundRequest) => ({
  host: target.url.host,
  'user-agent': 'Patchbay',
  'accept-encoding': 'identity',
  ...(method === 'POST' && { 'content-length': String(Buffer.byteLength(body)) }),
  ...Object.fromEntries(Object.entries(headers).filter(([name]) => !RESERVED_HEADERS.test(name))),
})

/**
 * Sends one request and reads the answer as it is: nothing is followed, nothing is decompressed. Only after a complete
 * answer, its connection stays open.
 */
async function exchange(
  pooled: PooledRequest,
  { method, body = '', is_repeated = false, head_ms }: OutboundRequest,
  limits: TimeLimits,
  signal: AbortSignal,
): Promise<Omit<OutboundAnswer, 'duration_ms'>> {
  const request = httpRequest(pooled)
  request.shouldKeepAlive = is_repeated
  signal.addEventListener('abort', () => request.destroy())
  const answered = finalResponse(request)
  // A connection that fails ends the request, too.
  answered.catch(() => {})
  try {
    const opened = connected(request, pooled.target)
    request.end(method === 'POST' ? body : undefined)
    await within(limits.connect, 'timeout', signal, () => opened)
    const response = await within(head_ms ?? limits.headers, 'timeout', signal, () => answered)
    return {
      status: response.statusCode ?? 0,
      headers: Object.fromEntries(
        Object.entries(response.headers).map(([name, value]) => [name, [value].flat().join(', ')]),
      ),
      body: await readBody(response),
    }
  } catch (error) {
    request.destroy()
    throw error
  }
}

function finalResponse(request: ClientRequest): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  let interim = 0
  let isAnswered = false
  request.on('response', (response) => {
    isAnswered = true
    resolve(response)
  })
  request.on('error', reject)
  request.on('information', () => {
    if (++interim > MAX_INTERIM) reject(new OutboundError('protocol', 'Too many interim responses.'))
  })
  request.on('upgrade', (_answer, socket) => {
    socket.destroy()
    reject(new OutboundError('protocol', 'The server switched protocols.'))
  })
  request.on('close', () => {
    // Every request ends with this event, and an error is expensive.
    if (!isAnswered) reject(new OutboundError('reset', 'The connection closed without an answer.'))
  })
  return promise
}

async function readBody(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    size += chunk.length
    // Leaving the loop destroys the response and its connection.
    if (size >= MAX_BODY_BYTES) break
  }
  return Buffer.concat(chunks).subarray(0, MAX_BODY_BYTES).toString('utf8')
}

const REASONS: readonly [RegExp, OutboundReason][] = [
  [/^(ECONNRESET|EPIPE|ECONNABORTED|ERR_STREAM_.*)$/, 'reset'],
  [/^(ERR_SSL_.*|ERR_TLS_.*|EPROTO)$/, 'tls'],
  [/^E[A-Z0-9]+$/, 'connect'],
  [/^(HPE_|ERR_HTTP_|ERR_INVALID_CHAR|ERR_INVALID_HTTP_TOKEN)/, 'protocol'],
]

/** Names an error of the network. Any other error is a fault in this program and stays as it is. */
function asOutboundError(error: unknown): unknown {
  if (error instanceof OutboundError) return error
  const { code = '', message } = error as NodeJS.ErrnoException
  const reason = REASONS.find(([pattern]) => pattern.test(code))?.[1]
  return reason ? new OutboundError(reason, message, error) : error
}
