import type { Db } from '../../db/database.ts'
import type { TalkRow } from '../../db/tables.ts'

/** By the primary key. */
export function findTalk(db: Db, account_id: number, id: number): Promise<TalkRow | undefined> {
  return db
    .selectFrom('talks')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .executeTakeFirst()
}
