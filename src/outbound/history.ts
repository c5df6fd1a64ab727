import type { Db, Tx } from '../db/database.ts'
import { lastIdBefore } from '../db/ids-by-time.ts'
import type { DeliveryAttemptRow, DeliveryRow } from '../db/tables.ts'
import { type DeliveryDraft, enqueueDeliveries, findDeliveries } from './deliveries.ts'
import { type Range, type Subject, selectLastAttempts, selectOfSubject } from './history-queries.ts'
import { withBodies } from './queue-queries.ts'
import { type DeliverySource, selectDeliveries, selectOfSources } from './source-queries.ts'

export type { Range } from './history-queries.ts'
export { selectRetrying as findRetrying } from './history-queries.ts'
export type { DeliverySource } from './source-queries.ts'

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

/** The deliveries of some sources, the latest first, without their bodies. */
export async function listOfSources(
  db: Db,
  account_id: number,
  sources: readonly DeliverySource[],
  range: Omit<Range, 'ids'>,
  limit: number,
): Promise<ListedDelivery[]> {
  const ids = await selectOfSources(db, account_id, sources, range, 'desc', limit)
  if (ids.length === 0) return []
  const rows = await selectDeliveries(db, account_id, ids)
  const last = await selectLastAttempts(db, account_id, ids)
  return rows
    .toSorted((a, b) => b.id - a.id)
    .map((delivery) => ({ delivery, last: last.get(delivery.id) ?? null }))
}

/** The ended deliveries of some sources with their bodies, the oldest first. */
export async function endedOfSources(
  db: Db,
  account_id: number,
  sources: readonly DeliverySource[],
  range: Omit<Range, 'ids'>,
  limit: number,
): Promise<DeliveryRow[]> {
  const ended = { ...range, state: range.state ?? ('ended' as const) }
  const ids = await selectOfSources(db, account_id, sources, ended, 'asc', limit)
  const rows = ids.length > 0 ? await selectDeliveries(db, account_id, ids) : []
  return withBodies(
    db,
    rows.toSorted((a, b) => a.id - b.id),
  )
}

/** The greatest id of the deliveries of a source that were queued before a time, as `lastBefore` finds it. */
export function firstSince(
  db: Db,
  account_id: number,
  source: DeliverySource,
  time: number,
): Promise<number> {
  return lastBeforeIn((range, order) => selectEnds(db, account_id, source, range, order), time)
}

/** The greatest id of the deliveries of a source; 0 if there is none. */
export async function newestOfSource(db: Db, account_id: number, source: DeliverySource): Promise<number> {
  const [id] = await selectOfSources(db, account_id, [source], {}, 'desc', 1)
  return id ?? 0
}

/** A delivery of an account with its body; undefined if there is none. */
export async function deliveryOf(db: Db, account_id: number, id: number): Promise<DeliveryRow | undefined> {
  const [row] = await withBodies(db, await selectDeliveries(db, account_id, [id]))
  return row
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
export const lastBefore = (db: Db, of: Subject, time: number): Promise<number> =>
  lastBeforeIn((range, order) => selectOfSubject(db, of, range, order, 1), time)

/** The greatest id of the deliveries of a subject; 0 if there is none. */
export const newestOf = (db: Db, { account_id, kind, subject }: Subject): Promise<number> =>
  newestOfSource(db, account_id, { kind, subject })

type SelectOne = (range: Range, order: 'asc' | 'desc') => Promise<Pick<DeliveryRow, 'id' | 'created_at'>[]>

async function lastBeforeIn(select: SelectOne, time: number): Promise<number> {
  const [newest] = await select({}, 'desc')
  return lastIdBefore(time, newest?.id ?? 0, async (after) => (await select({ after }, 'asc'))[0])
}

async function selectEnds(
  db: Db,
  account_id: number,
  source: DeliverySource,
  range: Range,
  order: 'asc' | 'desc',
): Promise<DeliveryRow[]> {
  const ids = await selectOfSources(db, account_id, [source], range, order, 1)
  return ids.length > 0 ? selectDeliveries(db, account_id, ids) : []
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
