import type { Db, Tx } from '../db/database.ts'
import { forKeyShare, forUpdate } from '../db/dialect.ts'
import { cached } from '../db/prepared.ts'
import { deleteRows, insertRows, replaceRows } from '../db/row-sets.ts'
import type { CustomerStatusRow } from '../db/tables.ts'

/** At most thirty, in their sort order. */
export const findCustomerStatuses: (db: Db, at: { account_id: number }) => Promise<CustomerStatusRow[]> =
  cached((db, at) =>
    db
      .selectFrom('customer_statuses')
      .selectAll()
      .where('account_id', '=', at.account_id)
      .orderBy('sort')
      .orderBy('id'),
  )

export const insertCustomerStatuses = (tx: Tx, rows: CustomerStatusRow[]): Promise<void> =>
  insertRows(tx, 'customer_statuses', rows)
export const replaceCustomerStatus = (tx: Tx, row: CustomerStatusRow): Promise<void> =>
  replaceRows(tx, 'customer_statuses', ['account_id', 'id'], [row])
export const deleteCustomerStatus = (tx: Tx, { account_id, id }: CustomerStatusRow): Promise<void> =>
  deleteRows(tx, 'customer_statuses', [{ account_id, id }])

/** Locks the stage against transactions that hold it (see holdCustomerStages), and then sees their records. */
export function lockCustomerStatus(tx: Tx, { account_id, id }: CustomerStatusRow): Promise<unknown> {
  return tx
    .selectFrom('customer_statuses')
    .select('id')
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .modifyEnd(forUpdate(tx))
    .execute()
}

/** In one order, so that two transactions with the same stages do not deadlock. */
export function holdCustomerStatuses(
  tx: Tx,
  account_id: number,
  ids: readonly number[],
): Promise<{ id: number }[]> {
  if (ids.length === 0) return Promise.resolve([])
  return tx
    .selectFrom('customer_statuses')
    .select('id')
    .where('account_id', '=', account_id)
    .where('id', 'in', ids)
    .orderBy('id')
    .modifyEnd(forKeyShare(tx))
    .execute()
}
