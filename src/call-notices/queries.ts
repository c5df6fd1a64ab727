import type { Db, Tx } from '../db/database.ts'
import { insertRows } from '../db/row-sets.ts'
import type { CallNoticeRow } from '../db/tables.ts'
import { firstUlidAt } from '../db/ulids.ts'

export const insertNotices = (tx: Tx, rows: CallNoticeRow[]): Promise<void> =>
  insertRows(tx, 'call_notices', rows)

/** By the primary key: ids begin with their time. */
const recent = (db: Db, account_id: number, since: number) =>
  db.selectFrom('call_notices').where('account_id', '=', account_id).where('id', '>=', firstUlidAt(since))

/** The account's notices since a time, in the order of their ids. */
export const noticesSince = (db: Db, account_id: number, since: number): Promise<CallNoticeRow[]> =>
  recent(db, account_id, since).selectAll().orderBy('id').execute()

/** The number of the account's notices since a time. */
export async function countNoticesSince(db: Db, account_id: number, since: number): Promise<number> {
  const { count } = await recent(db, account_id, since)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** By call_notices_by_age. */
export async function deleteNoticesBefore(tx: Tx, moment: number): Promise<void> {
  await tx.deleteFrom('call_notices').where('created_at', '<', moment).execute()
}
