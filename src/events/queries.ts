import type { Tx } from '../db/database.ts'
import { insertRows } from '../db/row-sets.ts'
import type { EventKeyRow, EventRow } from '../db/tables.ts'

/** Inserts events with at most two statements. Most events have no keys and need one. */
export async function insertEvents(tx: Tx, rows: EventRow[], keys: EventKeyRow[]): Promise<void> {
  await insertRows(tx, 'events', rows)
  await insertRows(tx, 'event_keys', keys)
}
