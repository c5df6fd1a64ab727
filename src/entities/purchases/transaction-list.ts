import type { Db } from '../../db/database.ts'
import type { TransactionRow } from '../../db/tables.ts'
import { self } from '../../http/hal.ts'
import type { Page, Position } from '../../http/queries/paging.ts'
import type { Access } from '../records/access.ts'
import { amountOf } from '../records/amount-types.ts'
import { findVisibleIds } from '../records/queries.ts'
import { notFound, readRecord } from '../records/records.ts'
import { parsePurchased } from './purchased-elements.ts'
import { type TransactionPage, visibleTransactions } from './transaction-queries.ts'
import type { Transaction } from './transaction-schemas.ts'

/** Lists a page of purchases of one customer, who must be visible, or of all visible customers. */
export async function listTransactions(
  db: Db,
  access: Access,
  asked: Pick<TransactionPage, 'customer_id' | 'ids' | 'direction'> & {
    page: Page
    after: Position | null
    base: string
  },
): Promise<{ transactions: Transaction[]; next: Position | null }> {
  const { customer_id, ids, direction, page, after, base } = asked
  if (customer_id !== null) await readRecord(db, access, 'customers', customer_id)
  const rows = await visibleTransactions(db, access, {
    customer_id,
    ids,
    direction,
    after: after?.id ?? null,
    offset: after ? 0 : page.offset,
    limit: page.limit + 1,
  }).execute()
  const shown = rows.slice(0, page.limit)
  const last = shown.at(-1)
  const next = rows.length > page.limit && last ? { value: last.id, id: last.id } : null
  return { transactions: await show(db, access, shown, base), next }
}

/** Reads a purchase of a visible customer, or of the customer in the address. */
export async function readTransaction(
  db: Db,
  access: Access,
  id: number,
  customer_id: number | null,
  base: string,
): Promise<Transaction> {
  const one = { customer_id, ids: [id], direction: 'asc' as const, after: null, offset: 0, limit: 1 }
  const [shown] = await show(db, access, await visibleTransactions(db, access, one).execute(), base)
  if (!shown) throw notFound()
  return shown
}

/** Omits hidden elements and those in the trash, as on cards. */
async function show(db: Db, access: Access, rows: TransactionRow[], base: string): Promise<Transaction[]> {
  const purchased = rows.map(({ elements }) => parsePurchased(elements))
  const ids = [...new Set(purchased.flatMap((some) => some.map(({ id }) => id)))]
  const seen = new Set(ids.length > 0 ? await findVisibleIds(db, access, 'catalog_elements', ids) : [])
  return rows.map((row, i) => ({
    id: row.id,
    price: row.price,
    price_with_minor_units: amountOf(row, 'price'),
    comment: row.comment,
    completed_at: row.completed_at,
    customer_id: row.customer_id,
    created_by: row.created_by,
    updated_by: row.updated_by,
    created_at: row.created_at,
    updated_at: row.updated_at,
    is_deleted: row.is_deleted === 1,
    account_id: row.account_id,
    _links: transactionLinks(base, row),
    _embedded: {
      customer: { id: row.customer_id, _links: self(`${base}/customers/${row.customer_id}`) },
      catalog_elements: (purchased[i] ?? [])
        .filter(({ id }) => seen.has(id))
        .map(({ id, metadata }) => ({ id, metadata })),
    },
  }))
}

export const transactionLinks = (
  base: string,
  { id, customer_id }: Pick<TransactionRow, 'id' | 'customer_id'>,
) => self(`${base}/customers/${customer_id}/transactions/${id}`)
