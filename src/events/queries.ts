import type { Tx } from '../db/database.ts'
import { insertRows } from '../db/row-sets.ts'
import type { EventRow } from '../db/tables.ts'

/** One statement, however many. */
export const insertEvents = (tx: Tx, rows: EventRow[]): Promise<void> => insertRows(tx, 'events', rows)
