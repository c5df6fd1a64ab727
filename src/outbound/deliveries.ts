import type { Context } from '../context.ts'
import type { Db, Tx } from '../db/database.ts'
import { nextIds } from '../db/dialect.ts'
import type { DeliveryAttemptRow, DeliveryRow } from '../db/tables.ts'
import { Refusal } from '../errors.ts'
import { cancel, selectPending } from './circuit-queries.ts'
import { countPending, oldestPending, PARKED } from './lease-queries.ts'
import { insertDeliveries, reopen, selectAttempts, selectBySubject, selectDelivery } from './queries.ts'
import type { DeliveryKind } from './settle.ts'
import { DeliveryWorker } from './worker.ts'

export type { Why } from './schedule.ts'
export type { DeliveryKind, Preparation } from './settle.ts'

/**
 * The queue of what is sent to others (C7). It is a table, so that a message and the intention to deliver it are
 * committed together, and neither a crash nor a receiver that is down for a day loses it.
 *
 * A delivery is `pending` until it is `delivered` (a 2xx) or `failed` for good; schedule.ts says when it is tried
 * again and when it is given up. It is delivered at least once: a process may die after the receiver has answered
 * and before that is committed, and then it is sent again, under the same `webhook-id`.
 *
 * Deliveries of one lane go one at a time in the order of their ids. The oldest pending one is the head; while the
 * head waits for its next try, the others wait behind it. They are parked: their `next_attempt_at` lies in the far
 * future, so that no poll reads them, and the transaction that ends the head makes the next one due. Whoever
 * queues must lock what the lane belongs to (the conversation, say), so that ids rise in the order of commits.
 *
 * `next_attempt_at` says when a poll should read a pending row again, and is all that a worker searches by.
 * To take a row a worker leases it: it moves that time to the end of the lease, in one statement for many rows,
 * passing over what another process has locked. When the process dies the lease ends by itself, and the row is due
 * again. `leased_until` is the name of the lease too. A worker that comes back late finds another name, and what it
 * did is dropped.
 *
 * A time that was stored while the clock was ahead would be waited for long after the clock is put back:
 * clock-steps.ts has such rows looked at.
 *
 * A try is made outside any transaction. Its outcome, the next state, the row in the log of tries, the head of the
 * lane that follows and what the owner of the delivery makes of it are then committed as one. What arrives within a
 * moment is committed together: most of what a delivery costs is its transaction.
 *
 * No receiver slows another: a worker holds few rows of one endpoint, and few sockets of the slow ones (in-flight.ts). And
 * one that is down is asked now and then, by one delivery for all that have its circuit (circuits.ts).
 */
export interface Deliveries {
  /** Says that something was committed that is due. */
  wake(): void
  /** Tries everything that is due by the clock until nothing is, and answers how many tries that took. */
  runDue(): Promise<number>
  /** Begins to empty the queue by itself. */
  start(): void
  /** Finishes the tries under way and gives back the leases of what was not tried. Nothing starts afterwards. */
  stop(): Promise<void>
}

export interface DeliveryDraft {
  account_id: number
  /** Which of the `kinds` is told how it ends. */
  kind: string
  /** The owner's own key, by which it finds the delivery again. */
  subject: string
  /** Within the account: what has the same lane goes in order, one at a time. */
  lane?: string | null
  /** What fails together, see circuits.ts; what has the same lane has the same circuit. */
  circuit?: string | null
  method: 'GET' | 'POST'
  url: string
  headers?: Record<string, string>
  /** Sent byte for byte, as UTF-8. */
  body?: string
  request_id: string
}

/** Builds the worker. `kinds` holds the owners by the `kind` of their deliveries; one without an owner is sent all the same. */
export function createDeliveries(ctx: Context, kinds: Record<string, DeliveryKind>): Deliveries {
  ctx.metrics.watch('patchbay_deliveries_pending', 'Deliveries that have not ended yet.', () =>
    countPending(ctx.db),
  )
  ctx.metrics.watch(
    'patchbay_deliveries_oldest_seconds',
    'Time since the oldest delivery that has not ended yet was queued.',
    async () => {
      const oldest = await oldestPending(ctx.db)
      return oldest === null ? 0 : Math.max(0, ctx.now() - oldest)
    },
  )
  return new DeliveryWorker(ctx, kinds)
}

/**
 * Queues deliveries in the caller's transaction, due at `now` (Unix seconds), and answers their ids in the order of
 * the drafts. The worker is to be woken after the commit.
 */
export async function enqueueDeliveries(tx: Tx, drafts: DeliveryDraft[], now: number): Promise<number[]> {
  if (drafts.length === 0) return []
  const ids = await nextIds(tx, 'deliveries', drafts.length)
  const lanes = new Set<string>()
  const rows = drafts.map((draft, i): DeliveryRow => {
    const lane = `${draft.account_id} ${draft.lane}`
    const follows = draft.lane != null && lanes.has(lane)
    lanes.add(lane)
    return newRow(draft, ids[i] as number, now, follows ? PARKED : now)
  })
  await insertDeliveries(tx, rows)
  return ids
}

/**
 * Puts a failed delivery back, with its full number of tries. It keeps its id, and with that its `webhook-id`. Its
 * place in the lane is long past: it goes beside the lane, in order only with others that are sent again.
 * Throws Refusal: `not_found` when the account has no such delivery, `conflict` when it has not failed.
 */
export async function sendAgain(tx: Tx, account_id: number, id: number, now: number): Promise<void> {
  const delivery = await selectDelivery(tx, account_id, id)
  if (!delivery) throw new Refusal('not_found', 'Delivery not found')
  const { lane } = delivery
  const beside = lane === null || lane.endsWith(AGAIN) ? lane : lane + AGAIN
  const done = await reopen(tx, { ...delivery, lane: beside }, now)
  if (!done) throw new Refusal('conflict', 'Only a delivery that has failed can be sent again')
}

const AGAIN = ' again'

/**
 * Ends everything pending of a circuit as failed, or of one account in it, and answers whose it was, the oldest first:
 * it is the caller who tells the owners. The try that is under way is dropped when it comes back, for its lease is gone.
 */
export function cancelDeliveries(
  tx: Tx,
  of: { circuit: string; account_id?: number },
  now: number,
): Promise<Pick<DeliveryRow, 'account_id' | 'kind' | 'subject' | 'id'>[]> {
  return cancel(tx, of, now)
}

/** Whose it is that is pending of a circuit: what an owner locks before it cancels, as it does before it queues. */
export function findPending(
  db: Db,
  of: { circuit: string; account_id?: number },
): Promise<Pick<DeliveryRow, 'account_id' | 'kind' | 'subject'>[]> {
  return selectPending(db, of)
}

/** The deliveries of some subjects of a kind, in the order in which they were queued; kept for 30 days. */
export function findDeliveries(
  db: Db,
  account_id: number,
  kind: string,
  subjects: string[],
): Promise<DeliveryRow[]> {
  return subjects.length > 0 ? selectBySubject(db, account_id, kind, subjects) : Promise.resolve([])
}

/** Every try of a delivery, the first one first. `answer` is what the receiver said, at most 4 KiB. */
export function listAttempts(db: Db, account_id: number, id: number): Promise<DeliveryAttemptRow[]> {
  return selectAttempts(db, account_id, id)
}

function newRow(draft: DeliveryDraft, id: number, now: number, next_attempt_at: number): DeliveryRow {
  const { account_id, kind, subject, method, request_id } = draft
  return {
    ...{ id, account_id, kind, subject, method, request_id, next_attempt_at },
    lane: draft.lane ?? null,
    circuit: draft.circuit ?? null,
    // As it will be dialled, so that its endpoint can be told from its first characters.
    url: URL.parse(draft.url)?.href ?? draft.url,
    headers: JSON.stringify(draft.headers ?? {}),
    body: draft.body ?? null,
    state: 'pending',
    attempts: 0,
    leased_until: null,
    created_at: now,
    ended_at: null,
  }
}
