import type { Tx } from '../db/database.ts'
import { insertRows } from '../db/row-sets.ts'
import type { EventKeyRow, EventRow } from '../db/tables.ts'

/** Two statements, however many; most events have no keys, and then one. */
export async function insertEvents(tx: Tx, rows: EventRow[], keys: EventKeyRow[]): Promise<void> {
  await insertRows(tx, 'events', rows)
  await insertRows(tx, 'event_keys', keys)
}
