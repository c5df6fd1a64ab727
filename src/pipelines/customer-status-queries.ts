import type { Db, Tx } from '../db/database.ts'
import { forKeyShare, forUpdate, isOneOf } from '../db/dialect.ts'
import { referenceData } from '../db/prepared.ts'
import { deleteRows, insertRows, replaceRows } from '../db/row-sets.ts'
import type { CustomerStatusRow } from '../db/tables.ts'

/** At most thirty, in their sort order. */
export const findCustomerStatuses: (db: Db, at: { account_id: number }) => Promise<CustomerStatusRow[]> =
  referenceData((db, at) =>
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

const heldStatuses = referenceData((db, at: { account_id: number; ids: readonly number[] }) =>
  db
    .selectFrom('customer_statuses')
    .select('id')
    .where('account_id', '=', at.account_id)
    .where((eb) => isOneOf(db, eb.ref('id'), at.ids))
    .orderBy('id')
    .modifyEnd(forKeyShare(db)),
)

/** In one order, so that two transactions with the same stages do not deadlock. */
export const holdCustomerStatuses = (
  tx: Tx,
  account_id: number,
  ids: readonly number[],
): Promise<{ id: number }[]> =>
  ids.length === 0 ? Promise.resolve([]) : heldStatuses(tx, { account_id, ids: [...new Set(ids)] })
