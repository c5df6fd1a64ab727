import { createHmac } from 'node:crypto'
import type { Context } from '../context.ts'
import type { Tx } from '../db/database.ts'
import { isOutage } from '../db/failures.ts'
import { isKeyMissing } from '../db/master-key.ts'
import type { DeliveryAttemptRow, DeliveryRow } from '../db/tables.ts'
import {
  isRejection,
  MAX_ATTEMPTS,
  type Outcome,
  type Plan,
  readRetryAfter,
  type Verdict,
  verdict,
  type Why,
} from './backoff.ts'
import { hastenPending, recordOutcome, type Stop } from './circuit-breaker.ts'
import { endpointOf } from './egress-policy.ts'
import { OutboundError, type OutboundRequest } from './http-client.ts'
import {
  type ClaimedRow,
  endLeases,
  insertAttempts,
  lastStatuses,
  lockLeases,
  releaseNext,
} from './queue-queries.ts'

/** The owner of a kind of delivery. It is informed in the transaction that stores the outcome. */
export interface DeliveryKind {
  /**
   * Called before each attempt, outside any transaction, for what is known only then. It is called twice when the
   * attempt has to wait for another endpoint than that of the stored URL. When it throws, the attempt counts as failed,
   * so it does not block the deliveries behind it for ever.
   */
  prepare?(delivery: DeliveryRow): Promise<Preparation>
  delivered?(tx: Tx, delivery: DeliveryRow, attempt: DeliveryAttemptRow): Promise<void>
  /** Replaces `delivered`: all deliveries, of any accounts, that are stored in one transaction. */
  allDelivered?(tx: Tx, deliveries: readonly DeliveryRow[]): Promise<void>
  /** After each failed attempt that will be repeated. */
  retried?(tx: Tx, delivery: DeliveryRow): Promise<void>
  /** Once, when the delivery has failed for good; not after each attempt. */
  failed?(tx: Tx, delivery: DeliveryRow, attempt: DeliveryAttemptRow, why: Why): Promise<void>
  /** After each failed attempt. Returns why the endpoint should be given up, if it should. */
  attemptFailed?(tx: Tx, delivery: DeliveryRow): Promise<Stop | null>
  /**
   * The endpoint should be given up, according to its circuit. Locks the rows of the owner that `stopped` changes: owners
   * lock them before deliveries. If `attemptFailed` returns a reason, it has locked them.
   */
  stopping?(tx: Tx, delivery: DeliveryRow): Promise<void>
  /**
   * The endpoint should be given up: it answered 410, has only failed for five days, or the owner said so. Called after
   * the outcome of the delivery itself, and again with each later failure if the owner does not give it up.
   */
  stopped?(tx: Tx, delivery: DeliveryRow, why: Stop): Promise<void>
  /** Attempts in total; default and maximum: 11. */
  tries?: number
  /** For one attempt; default and maximum 10,000, so that a lease does not have to be longer. */
  timeout_ms?: number
}

/** Differences of one attempt from the stored request and from the kind. Headers are added to the stored ones. */
export interface Preparation {
  url?: string
  headers?: Record<string, string>
  /** For a request with secrets, which are not stored with the delivery. */
  body?: string | undefined
  timeout_ms?: number
  /** For the head of the answer; default 5,000, the time of the platform for a chat. */
  head_ms?: number
  tries?: number
  /** `patient` by default. With the other plans, failures do not open the circuit. */
  plan?: Plan
  /** Signs the request as Standard Webhooks do. */
  signing_key?: Buffer | undefined
  /** The integration whose secrets the request contains; nobody else may read it (outgoing.ts). */
  confidential_to?: string | undefined
}

/** A claimed delivery. A probe is sent although its circuit is open. */
export type Claimed = ClaimedRow & { is_probe: boolean }

/** The request of one attempt. */
export interface Call {
  url: string
  /** Of `url`: concurrent attempts are counted by it. */
  endpoint: string
  headers: Record<string, string>
  body: string | undefined
  timeout_ms: number
  head_ms: number | undefined
  limit: number
  plan: Plan
  signing_key: Buffer | undefined
  /** Nothing is sent: the owner could not prepare it. */
  is_fault: boolean
  confidential_to: string | undefined
}

/** An attempt that has been made. */
export interface Attempted {
  row: Claimed
  attempt: DeliveryAttemptRow
  /** Decides what becomes of the delivery. */
  outcome: Outcome
  /** Decides what becomes of the circuit: the outcome of the request itself, also when it could not be stored. */
  response: Outcome
  /** Attempts of the delivery in total. */
  limit: number
  plan: Plan
}

/** Another process has claimed the delivery since: the outcome of this attempt is dropped. */
export class LeaseLost extends Error {
  override name = 'LeaseLost'
}

const MAX_TIMEOUT_MS = 10_000
/** Bytes of an answer that are stored. */
const STORED_BYTES = 4096
const FAULT: Outcome = { status: null, retry_after: null, error: 'fault' }

/** Asks the owner of a delivery for the request of the next attempt. Throws only without the database or the master key. */
export async function prepareCall(ctx: Context, row: Claimed, kind: DeliveryKind): Promise<Call> {
  try {
    const stored = JSON.parse(row.headers)
    const { headers, ...more } = (await kind.prepare?.(deliveryOf(row))) ?? {}
    return callOf(row, { ...kind, ...more, headers: { ...stored, ...headers } })
  } catch (error) {
    if (isOutage(error) || (await isKeyMissing(ctx.db, ctx.vault, error))) throw error
    ctx.log.error({ err: error, delivery: row.id, kind: row.kind }, 'a delivery could not be prepared')
    return { ...callOf(row, kind), is_fault: true }
  }
}

function callOf(row: Claimed, preparation: Preparation): Call {
  const { url = row.url, body = row.body ?? undefined, headers = {} } = preparation
  const { timeout_ms, head_ms, tries, plan = 'patient', signing_key, confidential_to } = preparation
  return {
    confidential_to,
    head_ms,
    ...{ url, headers, body, endpoint: endpointOf(url), is_fault: false, plan, signing_key },
    timeout_ms: Math.min(timeout_ms ?? MAX_TIMEOUT_MS, MAX_TIMEOUT_MS),
    limit: tries ?? MAX_ATTEMPTS,
  }
}

/** Sends a delivery once. Does not throw: an unreachable receiver is an outcome, and so is a fault in this program. */
export async function send(ctx: Context, row: Claimed, call: Call): Promise<Attempted> {
  const at = ctx.now()
  const attempted = (outcome: Outcome, duration_ms: number, answer: string | null = null): Attempted => {
    const { status, error } = outcome
    const attempt = {
      ...{ delivery_id: row.id, attempt: row.logged + 1, at, duration_ms },
      ...{ status, error, answer },
    }
    return { row, attempt, outcome, response: outcome, limit: call.limit, plan: call.plan }
  }
  if (call.is_fault) return attempted(FAULT, 0)
  try {
    const answer = await ctx.outbound.request(requestOf(row, call, at))
    const { status, headers, duration_ms, body } = answer
    const retry_after = readRetryAfter(status, headers['retry-after'], ctx.now())
    return attempted({ status, retry_after, error: null }, duration_ms, stored(body))
  } catch (error) {
    if (error instanceof OutboundError)
      return attempted({ status: null, retry_after: null, error: error.reason }, error.duration_ms)
    ctx.log.error({ err: error, delivery: row.id }, 'a delivery could not be sent')
    return attempted(FAULT, 0)
  }
}

/** The same attempt, counted as a fault because its outcome could not be stored. */
export const asFault = (attempted: Attempted): Attempted => ({
  ...attempted,
  attempt: { ...attempted.attempt, error: 'fault' },
  outcome: FAULT,
})

/** The request with the headers of Standard Webhooks. The id is the same in every attempt. */
export function requestOf(
  row: Pick<
    Claimed,
    | 'id'
    | 'account_id'
    | 'method'
    | 'kind'
    | 'subject'
    | 'request_id'
    | 'trace_context'
    | 'logged'
    | 'attempts'
  >,
  { url, headers, body, timeout_ms, head_ms, signing_key, limit, confidential_to }: Call,
  at: number,
): OutboundRequest {
  const id = `del_${row.id}`
  return {
    method: row.method === 'GET' ? 'GET' : 'POST',
    ...{ url, body, timeout_ms, head_ms },
    is_repeated: row.attempts + 1 < limit,
    about: {
      ...{ account_id: row.account_id, kind: row.kind, request_id: row.request_id },
      ...{ trace_context: row.trace_context, delivery_id: row.id, attempt: row.logged + 1 },
      integration_id: row.kind === 'disable_hook' ? row.subject : null,
      is_confidential: confidential_to !== undefined,
    },
    headers: {
      ...headers,
      'webhook-id': id,
      'webhook-timestamp': String(at),
      'webhook-attempt': String(row.logged + 1),
      ...(signing_key && { 'webhook-signature': signatureOf(signing_key, `${id}.${at}.${body ?? ''}`) }),
    },
  }
}

/** Standard Webhooks 1.0: version 1 is HMAC-SHA256 in base64. */
const signatureOf = (key: Buffer, signed: string): string =>
  `v1,${createHmac('sha256', key).update(signed).digest('base64')}`

/** The beginning of an answer in whole characters, without NUL, which PostgreSQL cannot store. */
function stored(body: string): string {
  const bytes = Buffer.from(body.replaceAll('\0', '\uFFFD')).subarray(0, STORED_BYTES)
  return new TextDecoder().decode(bytes, { stream: true })
}

/** The stored data of an attempt. */
export interface Recorded {
  verdict: Verdict
  /** Whether deliveries are due now that waited for this one. */
  released: boolean
}

/**
 * Stores the outcomes of attempts and what their owners do with them, all or nothing: either one attempt, or several
 * that were accepted. Throws LeaseLost, and the errors of owners.
 */
export async function recordAttempts(
  ctx: Context,
  attempts: readonly Attempted[],
  kinds: Record<string, DeliveryKind>,
): Promise<Recorded> {
  const now = ctx.now()
  const rows = attempts.map(({ row }) => row)
  const [first] = attempts as [Attempted]
  return ctx.db.transaction().execute(async (tx) => {
    // Everything locks in one order, so that nothing deadlocks: circuits, the rows of owners, deliveries.
    let stop: Stop | null = null
    const closing: string[] = []
    for (const { row, response, plan } of firstOfEach(attempts, ({ row }) => row.circuit ?? '')) {
      const effect = await recordOutcome(tx, { ...row, opens: plan === 'patient' }, response, now)
      stop = effect.stop
      if (effect.closing !== null) closing.push(effect.closing)
    }
    if (stop) await kinds[first.row.kind]?.stopping?.(tx, deliveryOf(first.row))
    const verdict = await judge(tx, first)
    const next = {
      state: verdict.state,
      next_attempt_at: verdict.state === 'ready' ? now + verdict.delay : now,
      ended_at: verdict.state === 'ready' ? null : now,
    }
    const deliveries = new Map(
      rows.map((row) => [
        row.id,
        { ...deliveryOf(row), ...next, attempts: row.attempts + 1, leased_until: null },
      ]),
    )
    for (const { row } of firstOfEach(attempts, ({ row }) => row.kind)) {
      const own = attempts.filter((one) => one.row.kind === row.kind)
      const informed = own.map(({ row: { id }, attempt }) => ({
        delivery: deliveries.get(id) as DeliveryRow,
        attempt,
      }))
      stop = (await inform(tx, kinds[row.kind] ?? {}, verdict, informed)) ?? stop
    }
    if (!(await lockLeases(tx, rows)))
      throw new LeaseLost('Another process has claimed a delivery since its attempt began.')
    for (const name of closing) await hastenPending(tx, name, now)
    await endLeases(tx, { ids: rows.map(({ id }) => id), ...next })
    await insertAttempts(
      tx,
      attempts.map(({ attempt }) => attempt),
    )
    const released = next.ended_at !== null && (await releaseNext(tx, rows, now))
    if (stop) await kinds[first.row.kind]?.stopped?.(tx, deliveries.get(first.row.id) as DeliveryRow, stop)
    return { verdict, released }
  })
}

async function inform(
  tx: Tx,
  kind: DeliveryKind,
  verdict: Verdict,
  informed: { delivery: DeliveryRow; attempt: DeliveryAttemptRow }[],
): Promise<Stop | null> {
  if (verdict.state === 'delivered' && kind.allDelivered) {
    await kind.allDelivered(
      tx,
      informed.map(({ delivery }) => delivery),
    )
    return null
  }
  let stop: Stop | null = null
  for (const { delivery, attempt } of informed) {
    if (verdict.state === 'delivered') await kind.delivered?.(tx, delivery, attempt)
    if (verdict.state === 'ready') await kind.retried?.(tx, delivery)
    if (verdict.state === 'failed') await kind.failed?.(tx, delivery, attempt, verdict.why)
    if (verdict.state !== 'delivered') stop = (await kind.attemptFailed?.(tx, delivery)) ?? stop
  }
  return stop
}

/** The first attempt of each name, in the order of the names. */
function firstOfEach(attempts: readonly Attempted[], nameOf: (one: Attempted) => string): Attempted[] {
  const groups = Map.groupBy(attempts, nameOf)
  return [...groups.keys()].sort().map((name) => groups.get(name)?.[0] as Attempted)
}

async function judge(tx: Tx, { row, outcome, limit, plan }: Attempted): Promise<Verdict> {
  const tries = row.attempts + 1
  const earlier = isRejection(outcome.status) ? await lastStatuses(tx, row.id, Math.min(row.attempts, 2)) : []
  const end = earlier.findIndex((status) => !isRejection(status))
  const refusals = 1 + (end < 0 ? earlier.length : end)
  return verdict(outcome, { tries, refusals, limit, plan }, Math.random())
}

/** A delivery as its owner sees it. */
function deliveryOf({ logged: _, is_probe: __, ...row }: Claimed): DeliveryRow {
  return row
}
