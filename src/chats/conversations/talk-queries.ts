import type { Db, Tx } from '../../db/database.ts'
import { insertRows, updateRows } from '../../db/row-sets.ts'
import type { TalkRow } from '../../db/tables.ts'

/** Index: the primary key. */
export function findTalk(db: Db, account_id: number, id: number): Promise<TalkRow | undefined> {
  return db
    .selectFrom('talks')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** By the primary key. */
export function latestTalk(db: Db, account_id: number): Promise<TalkRow | undefined> {
  const talks = db.selectFrom('talks').selectAll().where('account_id', '=', account_id)
  return talks.orderBy('id', 'desc').limit(1).executeTakeFirst()
}

export const insertTalk = (tx: Tx, row: TalkRow): Promise<void> => insertRows(tx, 'talks', [row])

export const updateTalk = (
  tx: Tx,
  row: Pick<TalkRow, 'account_id' | 'id'> & Partial<TalkRow>,
): Promise<void> => updateRows(tx, 'talks', ['account_id', 'id'], [row])
