import type { Context } from '../context.ts'
import type { DeliveryAttemptRow } from '../db/tables.ts'
import { type ClaimedRow, deliveryOf } from './lease-queries.ts'
import { type OutboundAnswer, OutboundError, type OutboundRequest } from './outbound.ts'
import { ALL_TRIES, type Outcome, readRetryAfter } from './schedule.ts'
import type { DeliveryKind, Preparation } from './settle.ts'
import { endpointOf } from './targets.ts'

/** One try: what is logged of it, and what it is judged by. */
export interface Tried {
  attempt: DeliveryAttemptRow
  outcome: Outcome
  /** What came of the request itself, whatever became of it here. */
  heard: Outcome
  /** Tries that the delivery has in all. */
  limit: number
}

/** What one try sends, and where to. */
export interface Call {
  url: string
  /** Of `url`: what the tries that go on at once are counted by. */
  endpoint: string
  headers: Record<string, string>
  timeout_ms: number
  limit: number
  /** There is nothing to send: the owner could not say what. */
  is_fault: boolean
}

/** Longer than this no kind may let a try take: leases are made for it. */
const MOST_MS = 10_000
/** Bytes of an answer that are kept. */
const KEPT_BYTES = 4096

/** Asks the owner of a delivery what the next try of it is like. Does not throw. */
export async function prepareCall(ctx: Context, row: ClaimedRow, kind: DeliveryKind): Promise<Call> {
  try {
    const stored = JSON.parse(row.headers)
    const { headers, ...more } = (await kind.prepare?.(deliveryOf(row))) ?? {}
    return callOf(row.url, { ...kind, ...more, headers: { ...stored, ...headers } })
  } catch (error) {
    ctx.log.error({ err: error, delivery: row.id, kind: row.kind }, 'a delivery could not be tried')
    return { ...callOf(row.url, kind), is_fault: true }
  }
}

function callOf(stored: string, { url = stored, headers = {}, timeout_ms, tries }: Preparation): Call {
  return {
    ...{ url, headers, endpoint: endpointOf(url), is_fault: false },
    timeout_ms: Math.min(timeout_ms ?? MOST_MS, MOST_MS),
    limit: tries ?? ALL_TRIES,
  }
}

/** Sends a delivery once. Does not throw: that a receiver cannot be reached is data, and so is a fault of ours. */
export async function tryOnce(ctx: Context, row: ClaimedRow, call: Call): Promise<Tried> {
  const at = ctx.now()
  const tried = (made: Pick<DeliveryAttemptRow, 'duration_ms' | 'answer'>, outcome: Outcome): Tried => {
    const { status, error } = outcome
    const attempt = { delivery_id: row.id, attempt: row.logged + 1, at, status, error, ...made }
    return { attempt, outcome, heard: outcome, limit: call.limit }
  }
  if (call.is_fault) return tried({ duration_ms: 0, answer: null }, fault)
  try {
    const answer = await ctx.outbound.request(requestOf(row, call, at))
    const { status, duration_ms, body } = answer
    const retry_after = retryAfter(answer, ctx.now())
    return tried({ duration_ms, answer: kept(body) }, { status, retry_after, error: null })
  } catch (error) {
    if (error instanceof OutboundError)
      return tried({ duration_ms: error.duration_ms, answer: null }, { ...fault, error: error.reason })
    ctx.log.error({ err: error, delivery: row.id }, 'a delivery could not be tried')
    return tried({ duration_ms: 0, answer: null }, fault)
  }
}

/** A try of which nothing can be said: judged as a fault of ours. */
export const asFault = (tried: Tried): Tried => ({
  ...tried,
  attempt: { ...tried.attempt, error: 'fault' },
  outcome: fault,
})

const fault = { status: null, retry_after: null, error: 'fault' } as const

/** The stored request, as it goes out now, with the headers of Standard Webhooks: the id is the same at every try. */
function requestOf(row: ClaimedRow, { url, headers: given, timeout_ms }: Call, at: number): OutboundRequest {
  const headers: Record<string, string> = {
    ...given,
    'webhook-id': `del_${row.id}`,
    'webhook-timestamp': String(at),
    'webhook-attempt': String(row.logged + 1),
  }
  const method = row.method === 'GET' ? 'GET' : 'POST'
  return { method, url, headers, body: row.body ?? undefined, timeout_ms }
}

const retryAfter = ({ status, headers }: OutboundAnswer, now: number) =>
  readRetryAfter(status, headers['retry-after'], now)

/** The beginning of an answer, without half a character at its end, and without NUL, which PostgreSQL cannot store. */
function kept(body: string): string {
  const bytes = Buffer.from(body.replaceAll('\0', '\uFFFD')).subarray(0, KEPT_BYTES)
  return new TextDecoder().decode(bytes, { stream: true })
}
