import { type Actor, activeIds, selectAccount } from '../../accounts/accounts.ts'
import type { Context } from '../../context.ts'
import type { Tx } from '../../db/database.ts'
import { nextIds } from '../../db/dialect.ts'
import type { EntityRow, TransactionRow } from '../../db/tables.ts'
import { type AddFault, collectFaults, notAChoice, Refusal } from '../../errors.ts'
import type { EventDraft } from '../../events/event-types.ts'
import { recordEvents } from '../../events/events.ts'
import { LAST_SECOND } from '../../http/times.ts'
import { insufficientRights, loadAccess, seesAll } from '../records/access.ts'
import { amountColumns, amountOf, roundedSum, setAmount } from '../records/amount-types.ts'
import type { Linked } from '../records/draft-schemas.ts'
import { notFound } from '../records/records.ts'
import { type LockedCustomer, lockCustomer } from './customer-totals.ts'
import { type Purchased, parsePurchased, readPurchased } from './purchased-elements.ts'
import { findTransactions, insertTransactions, replaceTransactions } from './transaction-queries.ts'

/** A requested purchase. */
export interface TransactionDraft {
  price: number
  price_with_minor_units?: number | null | undefined
  comment?: string | null | undefined
  completed_at?: number | undefined
  created_by?: number | undefined
  /** The expected next purchase of the customer. */
  next_price?: number | null | undefined
  next_price_with_minor_units?: number | null | undefined
  next_date?: number | null | undefined
  accrue_bonus?: boolean | undefined
  _embedded?: { catalog_elements?: Linked[] | null | undefined } | null | undefined
  request_id?: string | number | undefined
}

const DAY = 86_400

/**
 * Adds all purchases to a customer or none, and updates the customer's totals and next purchase. Requires the right
 * to edit the customer.
 */
export function addTransactions(
  ctx: Context,
  actor: Actor,
  customer_id: number,
  drafts: TransactionDraft[],
): Promise<TransactionRow[]> {
  return ctx.db.transaction().execute(async (tx) => {
    const { account_id } = actor
    const access = await loadAccess(tx, actor)
    const { customer, references, save } = await lockCustomer(ctx, tx, access, customer_id)
    const purchased = await readPurchased(tx, access, drafts)
    const isPeriodic = (customer.periodicity ?? 0) > 0 && (await isPeriodicityOn(tx, account_id))
    const ids = await nextIds(tx, 'transactions', drafts.length)
    const { faults, about } = collectFaults()
    const rows = drafts.map((draft, i): TransactionRow => {
      const addFault = about(String(draft.request_id ?? i))
      const price = amountOf(draft, 'price')
      const { created_by, completed_at = ctx.now() } = draft
      if (created_by !== undefined && created_by !== 0 && !references.members.has(created_by))
        addFault('NotSupportedChoice', 'created_by', notAChoice([0, ...activeIds(references.members)]))
      enter(customer, price, purchased[i] as Purchased[], addFault)
      if (isPeriodic) scheduleNextPurchase(customer, completed_at)
      if (draft.next_date !== undefined) customer.next_date = draft.next_date
      if (draft.next_price !== undefined) setAmount(customer, 'next_price', amountOf(draft, 'next_price'))
      return {
        account_id,
        id: ids[i] as number,
        customer_id,
        ...amountColumns('price', price),
        comment: draft.comment ?? null,
        completed_at,
        elements: JSON.stringify(purchased[i]),
        created_by: created_by ?? actor.user_id,
        updated_by: actor.user_id,
        created_at: ctx.now(),
        updated_at: ctx.now(),
        is_deleted: 0,
      }
    })
    if (faults.length > 0) throw new Refusal('invalid', 'Request validation failed', { faults })
    await insertTransactions(tx, rows)
    await recordEvents(ctx, tx, actor, rows.map(additionEvent))
    await save()
    return rows
  })
}

/**
 * Deletes purchases and reduces the totals of their customers, all of them or none. Requires the right to edit the
 * customers. `customer_id` is that of the address, if it names one.
 */
export function deleteTransactions(
  ctx: Context,
  actor: Actor,
  ids: readonly number[],
  customer_id: number | null,
): Promise<void> {
  return ctx.db.transaction().execute(async (tx) => {
    const { rows, customers } = await lockPurchases(ctx, tx, actor, ids, customer_id)
    const signed = { is_deleted: 1 as const, updated_by: actor.user_id, updated_at: ctx.now() }
    await replaceTransactions(
      tx,
      [...rows.values()].map((row) => ({ ...row, ...signed })),
    )
    for (const row of rows.values())
      subtractPurchase((customers.get(row.customer_id) as LockedCustomer).customer, row)
    for (const { save } of customers.values()) await save()
  })
}

/** Replaces the comments of purchases, all of them or none. Requires the right to edit their customers. */
export function commentTransactions(
  ctx: Context,
  actor: Actor,
  comments: readonly { id: number; comment: string | null }[],
): Promise<TransactionRow[]> {
  return ctx.db.transaction().execute(async (tx) => {
    const ids = comments.map(({ id }) => id)
    const { rows } = await lockPurchases(ctx, tx, actor, ids, null)
    for (const { id, comment } of comments)
      rows.set(id, {
        ...(rows.get(id) as TransactionRow),
        ...{ comment, updated_by: actor.user_id, updated_at: ctx.now() },
      })
    await replaceTransactions(tx, [...rows.values()])
    return ids.map((id) => rows.get(id) as TransactionRow)
  })
}

/** Purchases by their ids, with their locked customers by their ids. Throws Refusal unless the actor can change all of them. */
async function lockPurchases(
  ctx: Context,
  tx: Tx,
  actor: Actor,
  ids: readonly number[],
  customer_id: number | null,
): Promise<{ rows: Map<number, TransactionRow>; customers: Map<number, LockedCustomer> }> {
  const access = await loadAccess(tx, actor)
  const found = await findTransactions(tx, actor.account_id, ids)
  const named = ids.map((id) => found.get(id)?.customer_id)
  if (named.some((id) => id === undefined || (customer_id !== null && id !== customer_id)))
    throw seesAll(access, 'customers') ? notFound() : insufficientRights()
  const customers = new Map<number, LockedCustomer>()
  // In one order, so that requests wait for each other without a deadlock.
  for (const id of [...new Set(named as number[])].sort((a, b) => a - b))
    customers.set(id, await lockCustomer(ctx, tx, access, id))
  // Reads them again under the locks: a concurrent request may have deleted one.
  const rows = await findTransactions(tx, actor.account_id, ids)
  if (ids.some((id) => !rows.has(id))) throw notFound()
  return { rows, customers }
}

function enter(customer: EntityRow, price: number, purchased: Purchased[], addFault: AddFault): void {
  const ltv = roundedSum(amountOf(customer, 'ltv') + price)
  if (ltv > Number.MAX_SAFE_INTEGER)
    addFault('OutOfRange', 'price', "With this purchase, the customer's total would exceed the maximum.")
  setAmount(customer, 'ltv', ltv)
  customer.purchases_count = (customer.purchases_count ?? 0) + 1
  const points = (customer.bonus_points ?? 0) + bonusOf(purchased)
  customer.bonus_points = Math.min(points, Number.MAX_SAFE_INTEGER)
}

/** Points that were redeemed since are not reclaimed. */
function subtractPurchase(customer: EntityRow, purchase: TransactionRow): void {
  const ltv = roundedSum(amountOf(customer, 'ltv') - amountOf(purchase, 'price'))
  setAmount(customer, 'ltv', Math.max(0, ltv))
  customer.purchases_count = Math.max(0, (customer.purchases_count ?? 0) - 1)
  customer.bonus_points = Math.max(
    0,
    (customer.bonus_points ?? 0) - bonusOf(parsePurchased(purchase.elements)),
  )
}

const bonusOf = (purchased: Purchased[]): number =>
  purchased.reduce((sum, { bonus_points = 0 }) => sum + bonus_points, 0)

/**
 * Moves the next purchase date by the customer's periodicity. A late entry of an earlier purchase never moves it
 * back.
 */
function scheduleNextPurchase(customer: EntityRow, completed_at: number): void {
  const next = Math.min(completed_at + (customer.periodicity ?? 0) * DAY, LAST_SECOND)
  customer.next_date = Math.max(customer.next_date ?? 0, next)
}

async function isPeriodicityOn(tx: Tx, account_id: number): Promise<boolean> {
  const account = await selectAccount(tx).where('id', '=', account_id).executeTakeFirstOrThrow()
  return account.customers_mode === 'periodicity'
}

const additionEvent = ({ id, customer_id }: TransactionRow): EventDraft => ({
  type: 'transaction_added',
  entity_type: 'customer',
  entity_id: customer_id,
  after: [{ transaction: { id } }],
})
