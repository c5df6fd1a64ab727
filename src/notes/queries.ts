import type { Tx } from '../db/database.ts'
import { isOneOf } from '../db/dialect.ts'
import { insertRows } from '../db/row-sets.ts'
import type { NoteRow } from '../db/tables.ts'

/** One statement, however many. */
export const insertNotes = (tx: Tx, rows: NoteRow[]): Promise<void> => insertRows(tx, 'notes', rows)

/** Hangs the notes of some records on another one of their kind; by notes_by_entity. */
export async function moveNotes(
  tx: Tx,
  account_id: number,
  from_ids: readonly number[],
  to: number,
): Promise<void> {
  await tx
    .updateTable('notes')
    .set({ entity_id: to })
    .where('account_id', '=', account_id)
    .where((eb) => isOneOf(tx, eb.ref('entity_id'), from_ids))
    // Tasks are numbered for themselves: one may have the number of a record.
    .where('entity_type', '!=', 'tasks')
    .execute()
}
