import type { Context } from '../context.ts'
import type { DeliveryAttemptRow } from '../db/tables.ts'
import type { ClaimedRow } from './lease-queries.ts'
import { type OutboundAnswer, OutboundError, type OutboundRequest } from './outbound.ts'
import { type Outcome, readRetryAfter } from './schedule.ts'

/** One try: what is logged of it, and what it is judged by. */
export interface Tried {
  attempt: DeliveryAttemptRow
  outcome: Outcome
}

/** Longer than this no kind may let a try take: leases are made for it. */
const MOST_MS = 10_000
/** Bytes of an answer that are kept. */
const KEPT_BYTES = 4096

/** Sends a delivery once. Does not throw: that a receiver cannot be reached is data, and so is a fault of ours. */
export async function tryOnce(ctx: Context, row: ClaimedRow, timeout_ms = MOST_MS): Promise<Tried> {
  const at = ctx.now()
  const logged = { delivery_id: row.id, attempt: row.logged + 1, at }
  try {
    const answer = await ctx.outbound.request(requestOf(row, at, Math.min(timeout_ms, MOST_MS)))
    const { status, duration_ms, body } = answer
    const outcome = { status, retry_after: retryAfter(answer, ctx.now()), error: null }
    return { attempt: { ...logged, duration_ms, status, error: null, answer: kept(body) }, outcome }
  } catch (error) {
    const known = error instanceof OutboundError
    if (!known) ctx.log.error({ err: error, delivery: row.id }, 'a delivery could not be tried')
    const outcome = { status: null, retry_after: null, error: known ? error.reason : 'fault' } as const
    const duration_ms = known ? error.duration_ms : 0
    return { attempt: { ...logged, duration_ms, status: null, error: outcome.error, answer: null }, outcome }
  }
}

/** The stored request, with the headers of Standard Webhooks: the id is the same at every try. */
function requestOf(row: ClaimedRow, at: number, timeout_ms: number): OutboundRequest {
  const headers: Record<string, string> = {
    ...JSON.parse(row.headers),
    'webhook-id': `del_${row.id}`,
    'webhook-timestamp': String(at),
    'webhook-attempt': String(row.logged + 1),
  }
  const method = row.method === 'GET' ? 'GET' : 'POST'
  return { method, url: row.url, headers, body: row.body ?? undefined, timeout_ms }
}

const retryAfter = ({ status, headers }: OutboundAnswer, now: number) =>
  readRetryAfter(status, headers['retry-after'], now)

/** The beginning of an answer, without half a character at its end, and without NUL, which PostgreSQL cannot store. */
function kept(body: string): string {
  const bytes = Buffer.from(body.replaceAll('\0', '\uFFFD')).subarray(0, KEPT_BYTES)
  return new TextDecoder().decode(bytes, { stream: true })
}
