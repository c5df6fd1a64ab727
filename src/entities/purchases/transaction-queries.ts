import { type Expression, type SqlBool, sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'
import { isOneOf } from '../../db/dialect.ts'
import { insertRows, replaceRows } from '../../db/row-sets.ts'
import type { TransactionRow } from '../../db/tables.ts'
import { type Access, accessCondition } from '../records/access.ts'

export const insertTransactions = (tx: Tx, rows: TransactionRow[]): Promise<void> =>
  insertRows(tx, 'transactions', rows)

export const replaceTransactions = (tx: Tx, rows: TransactionRow[]): Promise<void> =>
  replaceRows(tx, 'transactions', ['account_id', 'id'], rows)

/** Finds purchases of any customers by their ids, without deleted ones. */
export async function findTransactions(
  db: Db,
  account_id: number,
  ids: readonly number[],
): Promise<Map<number, TransactionRow>> {
  const rows = await db
    .selectFrom('transactions')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('is_deleted', '=', 0)
    .where(isOneOf(db, sql.ref('id'), [...new Set(ids)]))
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

export interface TransactionPage {
  customer_id: number | null
  /** Any of these ids; empty means all. */
  ids: number[]
  direction: 'asc' | 'desc'
  /** The last id of the previous page. */
  after: number | null
  offset: number
  limit: number
}

/**
 * Purchases of visible customers in the order of ids: by the primary key or transactions_by_customer, and the
 * primary key of entities.
 */
export function visibleTransactions(
  db: Db,
  access: Access,
  { customer_id, ids, direction, after, offset, limit }: TransactionPage,
) {
  const beyond = sql.raw(direction === 'asc' ? '>' : '<')
  const condition = accessCondition(access, 'view', 'customers', 'customer')
  const conditions: Expression<SqlBool>[] = [
    ...(condition ? [condition] : []),
    ...(customer_id === null ? [] : [sql<SqlBool>`transactions.customer_id = ${customer_id}`]),
    ...(ids.length === 0 ? [] : [isOneOf(db, sql.ref('transactions.id'), ids)]),
    ...(after === null ? [] : [sql<SqlBool>`transactions.id ${beyond} ${after}`]),
  ]
  return db
    .selectFrom('transactions')
    .innerJoin('entities as customer', (join) =>
      join
        .on('customer.account_id', '=', access.actor.account_id)
        .on('customer.entity_type', '=', 'customers')
        .onRef('customer.id', '=', 'transactions.customer_id'),
    )
    .selectAll('transactions')
    .where('transactions.account_id', '=', access.actor.account_id)
    .where('transactions.is_deleted', '=', 0)
    .where('customer.is_deleted', '=', 0)
    .$if(conditions.length > 0, (query) => query.where((eb) => eb.and(conditions)))
    .orderBy('transactions.id', direction)
    .offset(offset)
    .limit(limit)
}
