import { sql } from 'kysely'
import type { Db, Tx } from '../db/database.ts'
import { isOneOf, isOneOfPairs, pairsOf, sortKey } from '../db/dialect.ts'
import { compilable, prepared } from '../db/prepared.ts'
import { insertRows } from '../db/row-sets.ts'
import type { EventKeyRow, EventRow } from '../db/tables.ts'
import { EVERYTHING } from './filters.ts'
import { ofPage, type Scan, visibleIn } from './list-queries.ts'
import { type Condition, column } from './scans/ranges.ts'

/** Inserts events with at most two statements. Most events have no keys and need one. */
export async function insertEvents(tx: Tx, rows: EventRow[], keys: EventKeyRow[]): Promise<void> {
  await insertRows(tx, 'events', rows)
  await insertRows(tx, 'event_keys', keys)
}

/** The events that some requests caused, after an event, in the order of their ids. One range of the primary key. */
export function selectCaused(
  db: Db,
  { account_id, after, request_ids }: { account_id: number; after: string; request_ids: readonly string[] },
  limit: number,
): Promise<EventRow[]> {
  return db
    .selectFrom('events')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('id', '>', after)
    .where((eb) => isOneOf(db, eb.ref('request_id'), request_ids))
    .orderBy('id')
    .limit(limit)
    .execute()
}

/**
 * The next events of records, which are pairs of kind and id in JSON (`pairsOf`), without a filter. Their ids are sorted: in the
 * order of ids, PostgreSQL could read the whole log for them.
 */
export const eventsOfRecords = prepared((db, asked: OfRecords & { offset: number }) => {
  const { account_id, records, from, limit, offset } = asked
  const ids = sql`select ${sortKey(db, column('id'), 'text')} as id
    from ${pairsOf(db, records)} as record cross join events
    where events.account_id = ${account_id} and events.entity_type = record.text
      and events.entity_id = record.number and events.id < ${from}
    order by id desc limit ${limit} offset ${offset}`
  return compilable(db, ofPage({ account_id, direction: 'older' }, ids))
})

interface OfRecords {
  account_id: number
  records: string
  from: string
  limit: number
}

/** Of the next `window` events of the log, the first `limit` that are about records. */
export const visibleOfRecords = prepared(
  (db, { account_id, records, from, window, limit }: OfRecords & { window: number }) => {
    const scan: Scan = { account_id, filter: EVERYTHING, direction: 'older', from }
    return compilable(db, visibleIn(db, scan, isOfRecords(db, records), window, limit))
  },
)

/** Whether an event is about one of the records. */
export const isOfRecords = (db: Db, records: string): Condition =>
  isOneOfPairs(db, column('entity_type'), column('entity_id'), records)
