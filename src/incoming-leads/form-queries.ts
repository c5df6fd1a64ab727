import type { Db, Tx } from '../db/database.ts'
import { insertRows, replaceRows } from '../db/row-sets.ts'
import type { SiteFormRow } from '../db/tables.ts'

export const selectForms = (db: Db, account_id: number): Promise<SiteFormRow[]> =>
  db.selectFrom('site_forms').selectAll().where('account_id', '=', account_id).orderBy('id').execute()

export const selectForm = (db: Db, account_id: number, id: number): Promise<SiteFormRow | undefined> =>
  db
    .selectFrom('site_forms')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .executeTakeFirst()

/** The form of a token, in any account: the token names it. */
export const selectByToken = (db: Db, token: string): Promise<SiteFormRow | undefined> =>
  db.selectFrom('site_forms').selectAll().where('token', '=', token).executeTakeFirst()

export const insertForm = (tx: Tx, row: SiteFormRow): Promise<void> => insertRows(tx, 'site_forms', [row])

export const replaceForm = (tx: Tx, row: SiteFormRow): Promise<void> =>
  replaceRows(tx, 'site_forms', ['account_id', 'id'], [row])

export const deleteForm = (tx: Tx, account_id: number, id: number): Promise<unknown> =>
  tx.deleteFrom('site_forms').where('account_id', '=', account_id).where('id', '=', id).execute()
