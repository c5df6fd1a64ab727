import type { Context } from '../context.ts'
import type { Tx } from '../db/database.ts'
import { nextIds } from '../db/dialect.ts'
import type { DeliveryRow } from '../db/tables.ts'
import { Refusal } from '../errors.ts'
import type { DeliveryKind } from './attempt.ts'
import { countPending, restart, selectDelivery } from './delivery-queries.ts'
import { endpointOf } from './egress-policy.ts'
import { insertBodies, insertDeliveries, selectNextDue } from './queue-queries.ts'
import { DeliveryWorker } from './worker.ts'

export type { DeliveryKind, Preparation } from './attempt.ts'
export type { Why } from './backoff.ts'
export type { Stop } from './circuit-breaker.ts'
export {
  cancelDeliveries,
  type DeliveryKey,
  findDeliveries,
  findPending,
  findPendingKeys,
  listAttempts,
} from './delivery-queries.ts'

/**
 * The queue of HTTP requests to other systems (C8). It is a table, so a message and its delivery are committed together,
 * and neither a crash nor a receiver that is down for a day loses it. The state of a delivery is one of:
 *
 * - `ready`: it is due at `next_attempt_at`.
 * - `in_flight`: a process has leased it to send it. At `next_attempt_at` the lease ends, and it is due again.
 * - `held`: it waits for an earlier delivery with the same ordering key.
 * - `paused`: its circuit is open (circuit-breaker.ts).
 * - `delivered`: the receiver answered with a 2xx.
 * - `failed`: it is not attempted any more (backoff.ts).
 *
 * The first four are pending: `ended_at` is null. Workers poll the due ones. A poll that finds a delivery that must not be
 * sent now makes it `held` or `paused`, so no later poll reads it again.
 *
 * A delivery is sent at least once. A process can die after the receiver has answered and before that is committed; then
 * the delivery is sent again with the same `webhook-id`. `leased_until` identifies the lease: a worker that comes back late
 * finds another one, and its outcome is dropped. A lease of many rows is one statement, which skips rows that other
 * processes have locked.
 *
 * Deliveries with the same ordering key are sent one at a time, in the order of their ids. The transaction that ends one
 * makes the next one ready. A caller that enqueues must lock what the key belongs to (such as the conversation), so that
 * ids rise in the order of commits.
 *
 * An attempt is made outside any transaction. Its outcome, the next state, the row in the log of attempts and what the owner
 * does with them are committed together.
 *
 * No account and no receiver slows down another: a worker takes due deliveries with turns (turns.ts), claims a few of each
 * endpoint (claims.ts), sends a few at the same time, and fewer to slow ones (concurrency-limiter.ts).
 */
export interface Deliveries {
  /** Announces that due deliveries were committed. */
  wake(): void
  /** Sends everything that is due, and returns the number of attempts. */
  runDue(): Promise<number>
  /** Starts to send deliveries when they are due. */
  start(): void
  /** Finishes the running attempts and returns the leases of the others. Nothing starts afterwards. */
  stop(): Promise<void>
}

export interface DeliveryDraft {
  account_id: number
  /** Selects the owner among the `kinds`. */
  kind: string
  /** The owner's key, to find the delivery again. */
  subject: string
  /** Within the account: deliveries with the same key are sent in order, one at a time. */
  ordering_key?: string | null
  /** Deliveries that share a circuit breaker; those with the same ordering key have the same circuit. */
  circuit?: string | null
  method: 'GET' | 'POST'
  url: string
  headers?: Record<string, string>
  /** Sent byte for byte, as UTF-8. */
  body?: string
  request_id: string
  /** It is not sent: it is only for those who read what the account sends (outgoing.ts). */
  is_streamed?: boolean
  /** The trace of others that it continues; see DeliveryRow. */
  trace_context?: string | null
}

export interface WorkerOptions {
  poll_ms?: number
  feed?: () => Promise<boolean>
}

/**
 * Builds the worker. `kinds` contains the owners by the `kind` of their deliveries; a kind needs no owner. Deliveries that
 * another process has queued are noticed after `poll_ms` at the latest. `feed` is called before each poll, to queue
 * deliveries; it returns whether it may have more.
 */
export function createDeliveries(
  ctx: Context,
  kinds: Record<string, DeliveryKind>,
  { poll_ms = 5000, feed = async () => false }: WorkerOptions = {},
): Deliveries {
  const pending = ctx.metrics.remembered(() => countPending(ctx.db))
  ctx.metrics.watch(
    'patchbay_deliveries_pending',
    'Deliveries that have not ended yet.',
    async () => (await pending()).count,
  )
  ctx.metrics.watch(
    'patchbay_deliveries_oldest_seconds',
    'Time since the oldest delivery that has not ended yet was queued.',
    async () => {
      const { oldest } = await pending()
      return oldest === null ? 0 : Math.max(0, ctx.now() - oldest)
    },
  )
  ctx.metrics.watch(
    'patchbay_deliveries_overdue_seconds',
    'Time since the delivery was due that waits the longest for its next attempt. Paused ones are left out.',
    async () => {
      const due = await selectNextDue(ctx.db)
      return due === null ? 0 : Math.max(0, ctx.now() - due)
    },
  )
  return new DeliveryWorker(ctx, kinds, { poll_ms, feed })
}

/**
 * Queues deliveries in the caller's transaction, due at `now` (Unix seconds), and returns their ids in the order of the
 * drafts. Wake the worker after the commit.
 */
export async function enqueueDeliveries(tx: Tx, drafts: DeliveryDraft[], now: number): Promise<number[]> {
  if (drafts.length === 0) return []
  const ids = await nextIds(tx, 'deliveries', drafts.length)
  const keys = new Set<string>()
  const bodies = await shareBodies(tx, drafts, now)
  const rows = drafts.map((draft, i): DeliveryRow => {
    const key = `${draft.account_id} ${draft.ordering_key}`
    const isFollower = draft.ordering_key != null && keys.has(key)
    keys.add(key)
    const row = newRow(draft, ids[i] as number, now, isFollower ? 'held' : 'ready')
    const body_id = bodies.get(draft.body ?? '')
    return body_id === undefined ? row : { ...row, body: null, body_id }
  })
  await insertDeliveries(tx, rows)
  return ids
}

/** Stores the bodies that several of these deliveries of one account send, and returns their ids. */
async function shareBodies(
  tx: Tx,
  drafts: readonly DeliveryDraft[],
  now: number,
): Promise<Map<string, number>> {
  const [first, ...others] = drafts as [DeliveryDraft]
  if (others.length === 0) return new Map()
  const counts = Map.groupBy(drafts, ({ body = '' }) => body)
  const shared = [...counts].filter(([body, those]) => body !== '' && those.length > 1).map(([body]) => body)
  if (shared.length === 0) return new Map()
  const ids = await nextIds(tx, 'delivery_bodies', shared.length)
  const { account_id } = first
  await insertBodies(
    tx,
    shared.map((body, i) => ({ id: ids[i] as number, account_id, body, created_at: now })),
  )
  return new Map(shared.map((body, i) => [body, ids[i] as number]))
}

/**
 * Restarts a failed delivery with its full number of attempts. It keeps its id, and so its `webhook-id`. Later deliveries
 * with its ordering key have been sent, so it gets a key of its own: it is in order only with others that were restarted.
 * Throws Refusal: `not_found` when the account has no such delivery, `conflict` when it has not failed.
 */
export async function retryDelivery(tx: Tx, account_id: number, id: number, now: number): Promise<void> {
  const delivery = await selectDelivery(tx, account_id, id)
  if (!delivery) throw new Refusal('not_found', 'Delivery not found')
  const { ordering_key } = delivery
  const key = ordering_key === null || ordering_key.endsWith(AGAIN) ? ordering_key : ordering_key + AGAIN
  const restarted = await restart(tx, { ...delivery, ordering_key: key }, now)
  if (!restarted) throw new Refusal('conflict', 'Only a delivery that has failed can be sent again')
}

const AGAIN = ' again'

function newRow(draft: DeliveryDraft, id: number, now: number, state: 'ready' | 'held'): DeliveryRow {
  const { account_id, kind, subject, method, request_id } = draft
  return {
    ...{ id, account_id, kind, subject, method, request_id, state },
    ordering_key: draft.ordering_key ?? null,
    circuit: draft.circuit ?? null,
    endpoint: endpointOf(draft.url),
    // Normalised, as it is sent.
    url: URL.parse(draft.url)?.href ?? draft.url,
    headers: JSON.stringify(draft.headers ?? {}),
    body: draft.body ?? null,
    body_id: null,
    trace_context: draft.trace_context ?? null,
    ...{ attempts: 0, next_attempt_at: now, leased_until: null, created_at: now, ended_at: null },
    ...(draft.is_streamed && { state: 'delivered', ended_at: now }),
  }
}
