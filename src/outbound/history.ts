import type { Db, Tx } from '../db/database.ts'
import { lastIdBefore } from '../db/ids-by-time.ts'
import type { DeliveryAttemptRow, DeliveryRow } from '../db/tables.ts'
import { type DeliveryDraft, enqueueDeliveries, findDeliveries } from './deliveries.ts'
import {
  type DeliverySource,
  type Range,
  selectDeliveries,
  selectLastAttempts,
  selectOfSources,
} from './history-queries.ts'
import { withBodies } from './queue-queries.ts'

export { type DeliverySource, type Range, selectRetrying as findRetrying } from './history-queries.ts'

/** A delivery with its last attempt; null before the first one. */
export interface ListedDelivery {
  delivery: DeliveryRow
  last: DeliveryAttemptRow | null
}

/** The deliveries of some sources, the latest first, without the bodies that they share. */
export async function listDeliveries(
  db: Db,
  account_id: number,
  sources: readonly DeliverySource[],
  range: Range,
  limit: number,
): Promise<ListedDelivery[]> {
  const ids = await selectOfSources(db, account_id, sources, range, 'desc', limit)
  const rows = await selectDeliveries(db, account_id, ids)
  return withLastAttempts(
    db,
    account_id,
    rows.toSorted((a, b) => b.id - a.id),
  )
}

/** The latest delivery of each of these subjects of a kind. */
export async function latestOfSubjects(
  db: Db,
  account_id: number,
  kind: string,
  subjects: string[],
): Promise<Map<string, ListedDelivery>> {
  const rows = await findDeliveries(db, account_id, kind, subjects)
  const listed = await withLastAttempts(db, account_id, rows)
  return new Map(listed.map((one) => [one.delivery.subject, one]))
}

async function withLastAttempts(
  db: Db,
  account_id: number,
  rows: readonly DeliveryRow[],
): Promise<ListedDelivery[]> {
  const ids = rows.map(({ id }) => id)
  const last = await selectLastAttempts(db, account_id, ids)
  return rows.map((delivery) => ({ delivery, last: last.get(delivery.id) ?? null }))
}

/** The ended deliveries of a source with their bodies, the oldest first. */
export async function endedDeliveries(
  db: Db,
  account_id: number,
  source: DeliverySource,
  range: Range,
  limit: number,
): Promise<DeliveryRow[]> {
  const ended = { ...range, state: range.state ?? ('ended' as const) }
  const ids = await selectOfSources(db, account_id, [source], ended, 'asc', limit)
  const rows = await selectDeliveries(db, account_id, ids)
  return withBodies(
    db,
    rows.toSorted((a, b) => a.id - b.id),
  )
}

/** A delivery of an account with its body; undefined if there is none. */
export async function findDelivery(db: Db, account_id: number, id: number): Promise<DeliveryRow | undefined> {
  const [row] = await withBodies(db, await selectDeliveries(db, account_id, [id]))
  return row
}

/** The greatest id of the deliveries of a source; 0 if there is none. */
export async function newestOf(db: Db, account_id: number, source: DeliverySource): Promise<number> {
  const [id] = await selectOfSources(db, account_id, [source], {}, 'desc', 1)
  return id ?? 0
}

/**
 * The greatest id of the deliveries of a source that were queued before a time (Unix seconds); 0 if there is none. Ids
 * rise with time, so a binary search finds it.
 */
export async function lastBefore(
  db: Db,
  account_id: number,
  source: DeliverySource,
  time: number,
): Promise<number> {
  return lastIdBefore(time, await newestOf(db, account_id, source), async (after) => {
    const ids = await selectOfSources(db, account_id, [source], { after }, 'asc', 1)
    return (await selectDeliveries(db, account_id, ids))[0]
  })
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
