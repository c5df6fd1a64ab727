import type { Db, Tx } from '../db/database.ts'
import { lastIdBefore } from '../db/ids-by-time.ts'
import type { DeliveryAttemptRow, DeliveryRow } from '../db/tables.ts'
import { type DeliveryDraft, enqueueDeliveries, findDeliveries } from './deliveries.ts'
import { type Range, type Subject, selectLastAttempts, selectOfSubject } from './history-queries.ts'
import { withBodies } from './queue-queries.ts'

export { selectRetrying as findRetrying } from './history-queries.ts'

/** A delivery with its last attempt; null before the first one. */
export interface ListedDelivery {
  delivery: DeliveryRow
  last: DeliveryAttemptRow | null
}

/** The deliveries of a subject, the latest first. */
export async function listDeliveries(
  db: Db,
  of: Subject,
  range: Range,
  limit: number,
): Promise<ListedDelivery[]> {
  const rows = await selectOfSubject(db, of, range, 'desc', limit)
  const last = await selectLastAttempts(
    db,
    of.account_id,
    rows.map(({ id }) => id),
  )
  return rows.map((delivery) => ({ delivery, last: last.get(delivery.id) ?? null }))
}

/** The latest delivery of each of these subjects of a kind. */
export async function latestOfSubjects(
  db: Db,
  account_id: number,
  kind: string,
  subjects: string[],
): Promise<Map<string, ListedDelivery>> {
  const rows = await findDeliveries(db, account_id, kind, subjects)
  const last = await selectLastAttempts(
    db,
    account_id,
    rows.map(({ id }) => id),
  )
  return new Map(
    rows.map((delivery) => [delivery.subject, { delivery, last: last.get(delivery.id) ?? null }]),
  )
}

/** The ended deliveries of a subject, the oldest first. */
export async function endedDeliveries(
  db: Db,
  of: Subject,
  range: Range,
  limit: number,
): Promise<DeliveryRow[]> {
  const rows = await selectOfSubject(db, of, { ...range, state: range.state ?? 'ended' }, 'asc', limit)
  return withBodies(db, rows)
}

/** One of them; undefined if the subject has no such delivery. */
export async function findDelivery(db: Db, of: Subject, id: number): Promise<DeliveryRow | undefined> {
  const rows = await selectOfSubject(db, of, { after: id - 1, before: id + 1 }, 'asc', 1)
  const [row] = await withBodies(db, rows)
  return row
}

/**
 * The greatest id of the deliveries of a subject that were queued before a time (Unix seconds); 0 if there is none. Ids
 * rise with time, so a binary search finds it.
 */
export async function lastBefore(db: Db, of: Subject, time: number): Promise<number> {
  const [newest] = await selectOfSubject(db, of, {}, 'desc', 1)
  const next = async (after: number) => (await selectOfSubject(db, of, { after }, 'asc', 1))[0]
  return lastIdBefore(time, newest?.id ?? 0, next)
}

/**
 * Queues ended deliveries once more: the same request to the same address, as new deliveries with ids of their own.
 * They keep their ordering keys, and follow what is pending. Wake the worker after the commit.
 */
export async function replayDeliveries(tx: Tx, rows: readonly DeliveryRow[], now: number): Promise<void> {
  const drafts = rows.map(
    (row): DeliveryDraft => ({
      account_id: row.account_id,
      kind: row.kind,
      subject: row.subject,
      ordering_key: row.ordering_key,
      circuit: row.circuit,
      method: row.method === 'GET' ? 'GET' : 'POST',
      url: row.url,
      headers: JSON.parse(row.headers),
      ...(row.body !== null && { body: row.body }),
      request_id: row.request_id,
      trace_context: row.trace_context,
    }),
  )
  await enqueueDeliveries(tx, drafts, now)
}
