import type { Db, Tx } from '../db/database.ts'
import { insertRows } from '../db/row-sets.ts'
import type { CallNoticeRow } from '../db/tables.ts'
import { firstUlidAt } from '../db/ulids.ts'

export const insertNotices = (tx: Tx, rows: CallNoticeRow[]): Promise<void> =>
  insertRows(tx, 'call_notices', rows)

/** The account's notices since a time, in the order of their ids, which begin with their time. By the primary key. */
export function noticesSince(db: Db, account_id: number, since: number): Promise<CallNoticeRow[]> {
  return db
    .selectFrom('call_notices')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('id', '>=', firstUlidAt(since))
    .orderBy('id')
    .execute()
}

/** By call_notices_by_age. */
export async function deleteNoticesBefore(tx: Tx, moment: number): Promise<void> {
  await tx.deleteFrom('call_notices').where('created_at', '<', moment).execute()
}
