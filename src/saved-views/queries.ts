import type { Db, Tx } from '../db/database.ts'
import type { SavedViewRow } from '../db/tables.ts'

/** A person's own views, oldest first. */
export const listOwnViews = (db: Db, account_id: number, user_id: number): Promise<SavedViewRow[]> =>
  db
    .selectFrom('saved_views')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('created_by', '=', user_id)
    .where('is_shared', '=', 0)
    .orderBy('id')
    .execute()

/** The shared views of an account, oldest first. By saved_views_shared. */
export const listSharedViews = (db: Db, account_id: number): Promise<SavedViewRow[]> =>
  db
    .selectFrom('saved_views')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('is_shared', '=', 1)
    .orderBy('id')
    .execute()

export async function insertView(tx: Tx, row: SavedViewRow): Promise<void> {
  await tx.insertInto('saved_views').values(row).execute()
}

export async function replaceView(tx: Tx, { account_id, id, ...row }: SavedViewRow): Promise<void> {
  await tx
    .updateTable('saved_views')
    .set(row)
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .execute()
}

export async function deleteView(tx: Tx, { account_id, id }: SavedViewRow): Promise<void> {
  await tx.deleteFrom('saved_views').where('account_id', '=', account_id).where('id', '=', id).execute()
}
