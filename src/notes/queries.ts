import { sql } from 'kysely'
import type { Db, Tx } from '../db/database.ts'
import { isOneOf } from '../db/dialect.ts'
import { isAmong } from '../db/indexes/index-choice.ts'
import { deleteRows, insertMissingRows, insertRows, updateRows } from '../db/row-sets.ts'
import type { CallIdRow, NoteRow } from '../db/tables.ts'
import { type CardType, cardTypes } from './parents.ts'

export const insertNotes = (tx: Tx, rows: NoteRow[]): Promise<void> => insertRows(tx, 'notes', rows)

/** Overwrites the mutable columns of notes. */
export const updateNotes = (tx: Tx, rows: NoteRow[]): Promise<void> =>
  updateRows(
    tx,
    'notes',
    ['account_id', 'entity_type', 'id'],
    rows.map(({ entity_id: _, note_type: __, ...row }) => row),
  )

/** Notes on records of one kind, without deleted ones. */
export const selectNotes = (db: Db, account_id: number, entity_type: string) =>
  db
    .selectFrom('notes')
    .selectAll('notes')
    .where('notes.account_id', '=', account_id)
    .where('notes.entity_type', '=', entity_type)
    .where('notes.is_deleted', '=', 0)

/** The notes of a kind that integrations created, for counting them; by notes_by_integration. Includes deleted notes. */
export const notesOfIntegrations = (
  db: Db,
  account_id: number,
  entity_type: string,
  integrations: readonly number[],
) =>
  db
    .selectFrom('notes')
    .select(sql.lit(1).as('one'))
    .where('account_id', '=', account_id)
    .where('entity_type', '=', entity_type)
    .where(isAmong(sql.ref('created_by_integration'), integrations))

/** Notes by id, including deleted ones; by the primary key. */
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

/** The kinds of the records that notes are on, by the ids of the notes, without deleted ones; by the primary key. */
export async function kindsOfNotes(
  db: Db,
  account_id: number,
  ids: readonly number[],
): Promise<Map<number, CardType>> {
  const rows = await db
    .selectFrom('notes')
    .select(['id', 'entity_type'])
    .where('account_id', '=', account_id)
    .where('entity_type', 'in', cardTypes)
    .where('is_deleted', '=', 0)
    .where((eb) => isOneOf(db, eb.ref('id'), ids))
    .execute()
  return new Map(rows.map(({ id, entity_type }) => [id, entity_type as CardType]))
}

/** The attachment notes of a record, newest first; by notes_of_files. */
export const selectAttachments = (db: Db, account_id: number, entity_type: string, entity_id: number) =>
  selectNotes(db, account_id, entity_type)
    .where('notes.entity_id', '=', entity_id)
    .where('notes.note_type', '=', sql.lit('attachment'))
    .orderBy('notes.id', 'desc')

/** The notes that attach the file whose uuid is in a column, without deleted ones; by notes_by_file. */
export const notesOfFile = (db: Db, account_id: number, uuid_column: string) =>
  db
    .selectFrom('notes')
    .select(sql.lit(1).as('one'))
    .where('notes.account_id', '=', account_id)
    .where('notes.file_uuid', '=', sql.ref<string>(uuid_column))
    .where('notes.is_deleted', '=', 0)

/** The records to which a file is attached, the newest first; by notes_by_file. */
export const recordsWithFile = (
  db: Db,
  account_id: number,
  file_uuid: string,
  { before, most }: { before: number; most: number },
): Promise<Pick<NoteRow, 'entity_type' | 'entity_id'>[]> =>
  db
    .selectFrom('notes')
    .select(['notes.entity_type', 'notes.entity_id'])
    .distinct()
    .where('notes.account_id', '=', account_id)
    .where('notes.file_uuid', '=', file_uuid)
    .where('notes.is_deleted', '=', 0)
    .where('notes.entity_type', '!=', 'tasks')
    .where('notes.entity_id', '<', before)
    .orderBy('notes.entity_id', 'desc')
    .limit(most)
    .execute()

/** Moves the notes of records to another one of their kind; by notes_by_entity. */
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
    // Task ids are a separate sequence, so one can equal the id of a record.
    .where('entity_type', '!=', 'tasks')
    .execute()
}

/** Existing rows are kept. */
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
