import type { Db, Tx } from '../db/database.ts'
import { isOneOf } from '../db/dialect.ts'
import { deleteRows, insertRows, replaceRows } from '../db/row-sets.ts'
import type { LossReasonRow } from '../db/tables.ts'

/** At most a few dozen, in their sort order. */
export function listLossReasonRows(db: Db, account_id: number): Promise<LossReasonRow[]> {
  return db
    .selectFrom('loss_reasons')
    .selectAll()
    .where('account_id', '=', account_id)
    .orderBy('sort')
    .orderBy('id')
    .execute()
}

/** All loss reasons of an account, by id. */
export async function findLossReasons(db: Db, account_id: number): Promise<Map<number, LossReasonRow>> {
  return new Map((await listLossReasonRows(db, account_id)).map((row) => [row.id, row]))
}

/** The ids among these that are loss reasons of the account. */
export async function knownLossReasons(
  db: Db,
  account_id: number,
  ids: number[],
): Promise<Map<number, LossReasonRow>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('loss_reasons')
    .selectAll()
    .where('account_id', '=', account_id)
    .where((eb) => isOneOf(db, eb.ref('id'), ids))
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

export const insertLossReasons = (tx: Tx, rows: LossReasonRow[]): Promise<void> =>
  insertRows(tx, 'loss_reasons', rows)
export const replaceLossReason = (tx: Tx, row: LossReasonRow): Promise<void> =>
  replaceRows(tx, 'loss_reasons', ['account_id', 'id'], [row])
export const deleteLossReason = (tx: Tx, { account_id, id }: LossReasonRow): Promise<void> =>
  deleteRows(tx, 'loss_reasons', [{ account_id, id }])
