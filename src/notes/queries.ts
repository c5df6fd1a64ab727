import { sql } from 'kysely'
import type { Db, Tx } from '../db/database.ts'
import { isOneOf } from '../db/dialect.ts'
import { deleteRows, insertMissingRows, insertRows, updateRows } from '../db/row-sets.ts'
import type { CallIdRow, NoteRow } from '../db/tables.ts'

/** One statement, however many. */
export const insertNotes = (tx: Tx, rows: NoteRow[]): Promise<void> => insertRows(tx, 'notes', rows)

/** What may change of a note, written over it. */
export const updateNotes = (tx: Tx, rows: NoteRow[]): Promise<void> =>
  updateRows(
    tx,
    'notes',
    ['account_id', 'entity_type', 'id'],
    rows.map(({ entity_id: _, note_type: __, ...row }) => row),
  )

/** Every note on records of one kind that was not deleted. */
export const selectNotes = (db: Db, account_id: number, entity_type: string) =>
  db
    .selectFrom('notes')
    .selectAll('notes')
    .where('notes.account_id', '=', account_id)
    .where('notes.entity_type', '=', entity_type)
    .where('notes.is_deleted', '=', 0)

/** Those of the ids that exist, deleted or not; by the primary key. */
export function findNotes(
  db: Db,
  account_id: number,
  entity_type: string,
  ids: readonly number[],
): Promise<NoteRow[]> {
  return db
    .selectFrom('notes')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('entity_type', '=', entity_type)
    .where((eb) => isOneOf(db, eb.ref('id'), ids))
    .execute()
}

/** The notes by which files are attached to a record, the newest first; by notes_of_files. */
export const selectAttachments = (db: Db, account_id: number, entity_type: string, entity_id: number) =>
  selectNotes(db, account_id, entity_type)
    .where('notes.entity_id', '=', entity_id)
    .where('notes.note_type', '=', sql.lit('attachment'))
    .orderBy('notes.id', 'desc')

/** The notes, not deleted, by which the file is attached whose uuid stands in a column; by notes_by_file. */
export const notesOfFile = (db: Db, account_id: number, uuid_column: string) =>
  db
    .selectFrom('notes')
    .select(sql.lit(1).as('one'))
    .where('notes.account_id', '=', account_id)
    .where('notes.file_uuid', '=', sql.ref<string>(uuid_column))
    .where('notes.is_deleted', '=', 0)

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

/** Those that stand there already stay as they are. */
export const insertCallIds = (tx: Tx, rows: CallIdRow[]): Promise<void> =>
  insertMissingRows(tx, 'call_ids', rows)

export const deleteCallIds = (tx: Tx, rows: CallIdRow[]): Promise<void> => deleteRows(tx, 'call_ids', rows)

export const findCallIds = (tx: Tx, account_id: number, uniqs: readonly string[]): Promise<CallIdRow[]> =>
  tx
    .selectFrom('call_ids')
    .selectAll()
    .where('account_id', '=', account_id)
    .where((eb) => isOneOf(tx, eb.ref('uniq'), uniqs))
    .execute()
