import type { Db, Tx } from '../../db/database.ts'
import { forUpdateSkipLocked } from '../../db/dialect.ts'
import { insertRows } from '../../db/row-sets.ts'
import type { FieldKeyRow, ValueErasureRow } from '../../db/tables.ts'

/** Erasures, of any account, that are loaded at once. */
const AT_ONCE = 20

export const insertErasures = (tx: Tx, rows: ValueErasureRow[]): Promise<void> =>
  insertRows(tx, 'value_erasures', rows)

/** By value_erasures_by_due. */
export function dueErasures(db: Db, now: number): Promise<ValueErasureRow[]> {
  return db
    .selectFrom('value_erasures')
    .selectAll()
    .where('due_at', '<=', now)
    .orderBy('due_at')
    .limit(AT_ONCE)
    .execute()
}

/** Returns undefined if the erasure is done or another process is working on it. */
export function lockErasure(tx: Tx, account_id: number, id: number): Promise<ValueErasureRow | undefined> {
  return tx
    .selectFrom('value_erasures')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .modifyEnd(forUpdateSkipLocked(tx))
    .executeTakeFirst()
}

export async function putOffErasure(
  tx: Tx,
  { account_id, id }: ValueErasureRow,
  due_at: number,
): Promise<void> {
  await tx
    .updateTable('value_erasures')
    .set({ due_at })
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .execute()
}

export async function deleteErasure(tx: Tx, { account_id, id }: ValueErasureRow): Promise<void> {
  await tx.deleteFrom('value_erasures').where('account_id', '=', account_id).where('id', '=', id).execute()
}

/** The first keys of a field, or of some of its choices; a range of the primary key. */
export function keysOfField(
  tx: Tx,
  account_id: number,
  field_id: number,
  keys: string[] | null,
  limit: number,
): Promise<FieldKeyRow[]> {
  const all = tx
    .selectFrom('field_keys')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('field_id', '=', field_id)
  return (keys ? all.where('key', 'in', keys) : all).limit(limit).execute()
}
