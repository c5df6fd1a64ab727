import type { Tx } from '../db/database.ts'
import { noteDeletedIds } from '../db/dialect.ts'
import { type OldRows, oldPage } from '../db/old-rows.ts'
import type { NoteRow } from '../db/tables.ts'
import { releaseCallIds } from './call-ids.ts'
import { deleteNoteRows, lockDeletedNotes, noteRowsOf, oldDeletedNotes } from './old-note-queries.ts'

/** Notes that somebody deleted long ago. Until then they can be restored. */
export const oldDeleted: OldRows<Pick<NoteRow, 'entity_type' | 'id'>> = {
  find: async (db, window) => {
    const rows = await oldDeletedNotes(db, window)
    const found = rows.map(({ entity_type, id, updated_at }) => ({
      key: { entity_type, id },
      at: updated_at,
      stays: false,
      position: [updated_at, id],
    }))
    return oldPage(found, window.limit)
  },
  remove: async (tx, window, notes) => {
    let count = 0
    for (const [entity_type, named] of Map.groupBy(notes, (note) => note.entity_type)) {
      const ids = named.map(({ id }) => id)
      const rows = await lockDeletedNotes(tx, window, entity_type, ids)
      await removeRows(tx, rows)
      count += rows.length
    }
    return count
  },
}

/** Deletes all notes of records or tasks that are being deleted themselves. */
export async function removeNotesOf(
  tx: Tx,
  account_id: number,
  entity_type: string,
  entity_ids: readonly number[],
): Promise<void> {
  await removeRows(tx, await noteRowsOf(tx, account_id, entity_type, entity_ids))
}

async function removeRows(tx: Tx, rows: readonly NoteRow[]): Promise<void> {
  if (rows.length === 0) return
  await releaseCallIds(tx, rows)
  await deleteNoteRows(tx, rows)
  await noteDeletedIds(
    tx,
    'notes',
    rows.map(({ id }) => id),
  )
}
