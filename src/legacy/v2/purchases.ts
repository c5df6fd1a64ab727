import { type Static, Type } from 'typebox'
import { type Actor, requirePaid } from '../../accounts/accounts.ts'
import type { Context } from '../../context.ts'
import {
  addTransactions,
  commentTransactions,
  deleteTransactions,
  listTransactions,
  loadAccess,
  type TransactionDraft,
} from '../../entities/entities.ts'
import { NewTransaction, type Transaction } from '../../entities/purchases/transaction-schemas.ts'
import { invalid } from '../../errors.ts'
import { listOf, type QueryValue, textOf } from '../../http/queries/bracket-query.ts'
import { numberOf } from '../../http/queries/query-values.ts'
import { LegacyQuery, pageOf } from '../list-parameters.ts'
import {
  type Draft,
  draftOf,
  type Item,
  numberIn,
  type Translate,
  textIn,
  to,
  toElements,
  toTime,
} from '../members.ts'
import { asOne, type Batch, inBatch, MAX_ITEMS, requestIdOf, validated } from '../requests.ts'
import { Links, linksById } from './bodies.ts'

/** A purchase of a customer as the second API has it. */
export const V2Purchase = Type.Object(
  {
    id: Type.Integer(),
    customer: Type.Object({ id: Type.Integer(), _links: Links }),
    date: Type.Integer({ description: 'Unix seconds of the purchase.' }),
    price: Type.Integer({ description: 'Whole units of the currency of the account.' }),
    comment: Type.String(),
    created_by: Type.Integer(),
    created_at: Type.Integer(),
    updated_by: Type.Integer(),
    updated_at: Type.Integer(),
    account_id: Type.Integer(),
    is_deleted: Type.Boolean(),
    _links: Links,
  },
  { title: 'V2Purchase' },
)

const { limit_rows, limit_offset, id } = LegacyQuery.properties
export const PurchasesQuery = Type.Object({
  limit_rows,
  limit_offset,
  id,
  customer_id: Type.Optional(Type.Unknown({ description: 'The id of a customer.' })),
})

/** The purchases of a customer or of all visible customers, by id, in the form of the second API. */
export async function findV2Purchases(
  ctx: Context,
  actor: Actor,
  query: LegacyQuery,
): Promise<Static<typeof V2Purchase>[]> {
  requirePaid(ctx, actor)
  return (await findPurchases(ctx, actor, query)).map(purchaseView)
}

/** The purchases of a customer or of all visible customers, by id, in the form of v4. */
export async function findPurchases(ctx: Context, actor: Actor, query: LegacyQuery): Promise<Transaction[]> {
  const { customer_id } = query as { customer_id?: QueryValue }
  const ids = query.id === undefined ? [] : listOf(query.id).map((value) => numberOf('id', value))
  if (ids.length > MAX_ITEMS) throw invalid('id', 'TooMany', `A request names at most ${MAX_ITEMS} ids.`)
  if (query.id !== undefined && ids.length === 0) return []
  const { transactions } = await listTransactions(ctx.db, await loadAccess(ctx.db, actor), {
    customer_id: customer_id === undefined ? null : numberOf('customer_id', textOf(customer_id)),
    ids,
    direction: 'asc',
    page: pageOf(query),
    after: null,
    base: '',
  })
  return transactions
}

const purchaseView = (purchase: Transaction): Static<typeof V2Purchase> => ({
  id: purchase.id,
  customer: { id: purchase.customer_id, _links: linksById('customers', purchase.customer_id) },
  date: purchase.completed_at,
  price: purchase.price,
  comment: purchase.comment ?? '',
  created_by: purchase.created_by,
  created_at: purchase.created_at,
  updated_by: purchase.updated_by,
  updated_at: purchase.updated_at,
  account_id: purchase.account_id,
  is_deleted: purchase.is_deleted,
  _links: linksById('transactions', purchase.id),
})

const members: Record<string, Translate> = {
  price: to('price', numberIn),
  date: toTime('completed_at'),
  comment: to('comment', textIn),
  next_price: to('next_price', numberIn),
  next_date: toTime('next_date'),
  created_by: to('created_by', numberIn),
  catalog_elements_id: toElements,
}

/** Adds purchases, changes their comments and deletes them, all of them or none. */
export function setV2Purchases(
  ctx: Context,
  actor: Actor,
  { add, update, gone }: { add: Batch; update: Batch; gone: readonly number[] },
) {
  return asOne(async () => {
    const ids = await addPurchases(ctx, actor, add)
    const changed = update.items.length > 0 ? await commentV2Purchases(ctx, actor, update) : []
    if (gone.length > 0) await deleteTransactions(ctx, actor, gone, null)
    return {
      add: ids.map((id, i) => ({ id, request_id: requestIdOf(add.items[i] as Item, i) })),
      update: changed,
    }
  })
}

/** Adds the purchases of each customer together. Returns their ids in the order of the items. */
async function addPurchases(ctx: Context, actor: Actor, batch: Batch): Promise<number[]> {
  const customers = batch.items.map(({ customer_id }, i) => idIn(customer_id, `${batch.at}.${i}.customer_id`))
  const drafts: Draft[] = batch.items.map((item, i) => ({ ...draftOf(item, members), request_id: i }))
  const purchases = validated(NewTransaction, drafts, batch)
  const ids: number[] = []
  // Requests lock customers in one order, so that they wait for each other without a deadlock.
  const byCustomer = [...Map.groupBy(customers.keys(), (i) => customers[i] as number)]
  for (const [customer_id, places] of byCustomer.sort(([a], [b]) => a - b)) {
    const own = places.map((i) => purchases[i] as TransactionDraft)
    const rows = await inBatch(batch, () => addTransactions(ctx, actor, customer_id, own))
    rows.forEach((row, i) => {
      ids[places[i] as number] = row.id
    })
  }
  return ids
}

const Comment = Type.Object({
  id: Type.Integer(),
  comment: Type.Union([Type.String({ maxLength: 10_000 }), Type.Null()]),
})

/** Replaces the comments of purchases, all of them or none. A purchase is named by `transaction_id` or `id`. */
export async function commentV2Purchases(ctx: Context, actor: Actor, batch: Batch) {
  const drafts = batch.items.map(({ transaction_id, id, comment }, i) => ({
    id: idIn(transaction_id ?? id, `${batch.at}.${i}.transaction_id`),
    comment: textIn(comment) ?? null,
  }))
  const comments = validated(Comment, drafts, batch)
  const rows = await commentTransactions(ctx, actor, comments)
  return rows.map((row) => ({ id: row.id, last_modified: row.updated_at }))
}

function idIn(value: unknown, path: string): number {
  const found = numberIn(value)
  if (Number.isSafeInteger(found) && (found as number) > 0) return found as number
  throw invalid(path, 'InvalidType', 'This value should be an id.')
}
