import { sql } from 'kysely'
import { readInBackground } from '../db/background-reads.ts'
import type { Db, Tx } from '../db/database.ts'
import { forUpdate, isOneOf } from '../db/dialect.ts'
import type { OldWindow } from '../db/old-rows.ts'
import { deleteRows } from '../db/row-sets.ts'
import type { NoteRow } from '../db/tables.ts'

/** The deleted notes that changed least recently; a range of notes_in_trash. */
export function oldDeletedNotes(
  db: Db,
  { account_id, before, after, limit }: OldWindow,
): Promise<Pick<NoteRow, 'entity_type' | 'id' | 'updated_at'>[]> {
  const [at = -1, id = 0] = after ?? []
  return readInBackground(
    db,
    account_id,
    db
      .selectFrom('notes')
      .select(['entity_type', 'id', 'updated_at'])
      .where('account_id', '=', account_id)
      .where('is_deleted', '=', sql.lit(1))
      .where('updated_at', '<', before)
      .where(sql<boolean>`(updated_at, id) > (${at}, ${id})`)
      .orderBy('updated_at')
      .orderBy('id')
      .limit(limit),
  )
}

/** Those of these notes of one kind of records that are still deleted; locked. By the primary key. */
export function lockDeletedNotes(
  tx: Tx,
  { account_id, before }: Pick<OldWindow, 'account_id' | 'before'>,
  entity_type: string,
  ids: readonly number[],
): Promise<NoteRow[]> {
  return tx
    .selectFrom('notes')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('entity_type', '=', entity_type)
    .where((eb) => isOneOf(tx, eb.ref('id'), ids))
    .where('is_deleted', '=', 1)
    .where('updated_at', '<', before)
    .orderBy('id')
    .modifyEnd(forUpdate(tx))
    .execute()
}

/** All notes of records or tasks; by notes_by_entity. */
export function noteRowsOf(
  tx: Tx,
  account_id: number,
  entity_type: string,
  entity_ids: readonly number[],
): Promise<NoteRow[]> {
  return tx
    .selectFrom('notes')
    .selectAll()
    .where('account_id', '=', account_id)
    .where((eb) => isOneOf(tx, eb.ref('entity_id'), entity_ids))
    .where('entity_type', '=', entity_type)
    .execute()
}

export const deleteNoteRows = (tx: Tx, rows: readonly NoteRow[]): Promise<void> =>
  deleteRows(
    tx,
    'notes',
    rows.map(({ account_id, entity_type, id }) => ({ account_id, entity_type, id })),
  )
