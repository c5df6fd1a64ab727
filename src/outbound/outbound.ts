import { judgeAddress, parseRanges, type Ranges } from './addresses.ts'
import { ConcurrencyLimiter } from './concurrency-limiter.ts'
import { dial } from './dial.ts'
import { exchange, type Reply } from './exchange.ts'
import { asOutboundError, OutboundError, type OutboundReason } from './outbound-error.ts'
import { isOtherService } from './ports.ts'
import { addressesOf, createResolve, type Resolve } from './resolve.ts'
import { readTarget, type Target } from './targets.ts'

export { OutboundError, type OutboundReason } from './outbound-error.ts'

/**
 * The one way out. Others tell us which addresses to call, so an address is judged before it is called (C8), and
 * three things are done that a check in front of a client library leaves open. The name is resolved here, every
 * answer is judged, and the literal address that passed is the one that is dialled: a second look-up could answer
 * otherwise. A literal address in a URL is judged the same way. And each request has a connection of its own: one
 * that was kept from an earlier request would go where nobody judged.
 */
export interface Outbound {
  /** Throws OutboundError when there is no answer; an answer of any status is an answer. */
  request(request: OutboundRequest): Promise<OutboundAnswer>
  /** Refuses what comes, breaks off what is under way, and ends when nothing is. */
  close(): Promise<void>
}

export interface OutboundRequest {
  method: 'GET' | 'HEAD' | 'POST'
  url: string
  headers?: Record<string, string>
  body?: string
  /** For all of it, once its turn has come; default 10,000. The wait for its turn may take as long again. */
  timeout_ms?: number
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
  /** CIDRs that are not public and may be called all the same. */
  allow: string[]
  /** In place of DNS. */
  resolve?: Resolve
}

const WHOLE_MS = 10_000
const DNS_MS = 2_000
const CONNECT_MS = 3_000
const HEAD_MS = 5_000
const SOCKETS = { each: 4, all: 128, slow: 32 }

/** Throws an Error when a range of `allow` is none. */
export function createOutbound(options: OutboundOptions): Outbound {
  const ranges = parseRanges(options.allow)
  const resolve = options.resolve ?? createResolve()
  const limiter = new ConcurrencyLimiter(SOCKETS)
  const closing = new AbortController()
  const underWay = new Set<Promise<unknown>>()
  return {
    request: (request) => {
      const answer = takeTurn(request, limiter, closing.signal, (target, signal) =>
        call(target, request, ranges, resolve, signal),
      )
      const ended = answer.catch(() => {}).finally(() => underWay.delete(ended))
      underWay.add(ended)
      return answer
    },
    close: async () => {
      closing.abort(new OutboundError('reset', 'The server is stopping.'))
      await Promise.all(underWay)
    },
  }
}

type Call = (target: Target, signal: AbortSignal) => Promise<Reply>

/** Waits for a socket's turn, then lets the call run for its time, and measures it. */
async function takeTurn(
  request: OutboundRequest,
  limiter: ConcurrencyLimiter,
  closing: AbortSignal,
  run: Call,
): Promise<OutboundAnswer> {
  const target = readTarget(request.url)
  const limit_ms = request.timeout_ms ?? WHOLE_MS
  const giveBack = await within(limit_ms, 'timeout', closing, (signal) =>
    limiter.take(target.endpoint, signal),
  )
  const started = performance.now()
  const elapsed = () => Math.round(performance.now() - started)
  try {
    const answer = await within(limit_ms, 'timeout', closing, (signal) => run(target, signal))
    return { ...answer, duration_ms: elapsed() }
  } catch (error) {
    const failure = asOutboundError(error)
    if (failure instanceof OutboundError) failure.duration_ms = elapsed()
    throw failure
  } finally {
    giveBack(elapsed())
  }
}

async function call(
  target: Target,
  request: OutboundRequest,
  ranges: Ranges,
  resolve: Resolve,
  signal: AbortSignal,
): Promise<Reply> {
  const found = await within(DNS_MS, 'dns', signal, () => addressesOf(target.hostname, resolve))
  const addresses = found.filter((address) => mayCall(address, target.port, ranges))
  if (addresses.length === 0)
    throw new OutboundError('forbidden_address', `${target.hostname} may not be called.`)
  const socket = await within(CONNECT_MS, 'timeout', signal, (step) =>
    dial(target, addresses, CONNECT_MS, step),
  )
  const stop = () => socket.destroy()
  signal.addEventListener('abort', stop)
  try {
    const { method, headers = {}, body } = request
    return await exchange(socket, target, { method, headers, body }, HEAD_MS)
  } finally {
    signal.removeEventListener('abort', stop)
    stop()
  }
}

function mayCall(address: string, port: number, ranges: Ranges): boolean {
  const judgement = judgeAddress(address, ranges)
  return judgement === 'allowed' || (judgement === 'public' && !isOtherService(port))
}

/** Runs a step that ends when its signal does: after `limit_ms`, or with the step that it is a part of. */
async function within<T>(
  limit_ms: number,
  reason: OutboundReason,
  outer: AbortSignal,
  step: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const ending = new AbortController()
  const late = () => ending.abort(new OutboundError(reason, `Nothing within ${limit_ms} ms.`))
  const follow = () => ending.abort(outer.reason)
  const timer = setTimeout(late, limit_ms)
  outer.addEventListener('abort', follow)
  if (outer.aborted) follow()
  const ended = new Promise<never>((_, reject) => {
    ending.signal.addEventListener('abort', () => reject(ending.signal.reason))
    if (ending.signal.aborted) reject(ending.signal.reason)
  })
  try {
    return await Promise.race([step(ending.signal), ended])
  } finally {
    clearTimeout(timer)
    outer.removeEventListener('abort', follow)
  }
}
