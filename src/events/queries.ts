import type { Db, Tx } from '../db/database.ts'
import { isOneOf } from '../db/dialect.ts'
import { insertRows } from '../db/row-sets.ts'
import type { EventKeyRow, EventRow } from '../db/tables.ts'

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
