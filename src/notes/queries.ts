import type { Tx } from '../db/database.ts'
import { insertRows } from '../db/row-sets.ts'
import type { NoteRow } from '../db/tables.ts'

/** One statement, however many. */
export const insertNotes = (tx: Tx, rows: NoteRow[]): Promise<void> => insertRows(tx, 'notes', rows)
