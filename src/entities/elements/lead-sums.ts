import type { Actor } from '../../accounts/accounts.ts'
import type { Context } from '../../context.ts'
import { findFields, showValues, storedValuesOf } from '../../custom-fields/custom-fields.ts'
import type { Db, Tx } from '../../db/database.ts'
import type { EntityRow, LinkRow } from '../../db/tables.ts'
import { type Fault, Refusal } from '../../errors.ts'
import { setAmount } from '../records/amount-types.ts'
import type { RecordPatch } from '../records/draft-schemas.ts'
import type { EntityType } from '../records/entity-types.ts'
import { lockRecords } from '../records/records.ts'
import type { WorkingCopy } from '../records/working-copy.ts'
import { loadCopies } from '../saving/load-copies.ts'
import { loadReferences } from '../saving/references.ts'
import { saveCopies } from '../saving/save.ts'
import { announceRecords } from '../saving/webhook-changes.ts'
import { findCatalogs } from './catalog-queries.ts'
import { type LinkedProduct, linkedProducts, openLeadsWith } from './product-queries.ts'

/** The most open leads whose prices one change of products can change. */
const MOST_LEADS = 5_000
/** The code of the field with the price of a product. */
const PRICE_FIELD = 'PRICE'

/** The list of products, if the prices of leads are the sums of their products (K8). */
async function summingList(db: Db, account_id: number): Promise<number | undefined> {
  const lists = await findCatalogs(db, { account_id })
  return lists.find((list) => list.sums_leads === 1 && list.can_show_in_cards === 1)?.id
}

/** Whether a row of a link is the side of a lead with an element. */
const isOfProduct = ({ entity_type, to_entity_type }: Pick<LinkRow, 'entity_type' | 'to_entity_type'>) =>
  entity_type === 'leads' && to_entity_type === 'catalog_elements'

/**
 * Sets the prices of leads whose links to products have changed. The caller has locked the leads, and announces the
 * `announced` ones itself.
 */
export async function sumChangedLeads(
  ctx: Context,
  tx: Tx,
  actor: Actor,
  links: readonly Pick<LinkRow, 'entity_id' | 'entity_type' | 'to_entity_type' | 'catalog_id'>[],
  records: ReadonlyMap<number, EntityRow>,
  announced: readonly WorkingCopy[],
): Promise<void> {
  const touched = links.filter(isOfProduct)
  if (touched.length === 0) return
  const list = await summingList(tx, actor.account_id)
  const ids = new Set(
    touched.flatMap(({ entity_id, catalog_id }) => (catalog_id === list ? [entity_id] : [])),
  )
  const leads = [...ids].flatMap((id) => records.get(id) ?? [])
  if (list !== undefined) await sum(ctx, tx, actor, list, leads, announced)
}

/**
 * Sets the prices of open leads with products that were changed, discarded or restored, whose rows the caller has
 * locked. Closed leads keep their prices.
 */
export async function sumLeadsWith(
  ctx: Context,
  tx: Tx,
  actor: Actor,
  elements: readonly EntityRow[],
): Promise<void> {
  const { account_id } = actor
  const list = elements.length === 0 ? undefined : await summingList(tx, account_id)
  const ids = elements.flatMap(({ id, catalog_id }) => (catalog_id === list ? [id] : []))
  if (list === undefined || ids.length === 0) return
  const leads = await openLeadsWith(tx, account_id, ids, MOST_LEADS + 1)
  if (leads.length > MOST_LEADS)
    throw new Refusal(
      'conflict',
      `A change of products can change the prices of at most ${MOST_LEADS} leads.`,
    )
  const locked = await lockRecords(
    tx,
    account_id,
    leads.map((id) => ({ entity_type: 'leads', id })),
  )
  await sum(ctx, tx, actor, list, [...locked.values()], [])
}

async function sum(
  ctx: Context,
  tx: Tx,
  actor: Actor,
  list: number,
  leads: EntityRow[],
  announced: readonly WorkingCopy[],
): Promise<void> {
  const { account_id } = actor
  const products = await linkedProducts(
    tx,
    account_id,
    leads.map(({ id }) => id),
    list,
  )
  const priceOf = await pricesOf(tx, account_id, list, products)
  const byLead = Map.groupBy(products, ({ lead_id }) => lead_id)
  const references = await loadReferences(tx, account_id, 'leads', [])
  const copies = await loadCopies(tx, account_id, references, leads)
  for (const { row } of copies.values()) setAmount(row, 'price', total(byLead.get(row.id) ?? [], priceOf))
  const { changed, subscriptions } = await saveCopies(ctx, tx, actor, references, [...copies.values()])
  const known = new Set(announced.map(({ row }) => row.id))
  await announceRecords(ctx, tx, actor, references, {
    changed: changed.filter(({ row }) => !known.has(row.id)),
    subscriptions,
  })
}

type PriceOf = (product: LinkedProduct) => number

/** Exact to hundredths, as prices are shown. */
function total(products: readonly LinkedProduct[], priceOf: PriceOf): number {
  const exact = products.reduce((all, product) => all + product.quantity * priceOf(product), 0)
  const rounded = Math.round(exact * 100) / 100
  return Math.max(0, Math.min(rounded, Number.MAX_SAFE_INTEGER))
}

/** The price of a linked product: in the field that the link names, otherwise in the field `PRICE`; 0 without one. */
async function pricesOf(
  tx: Tx,
  account_id: number,
  list: number,
  products: readonly LinkedProduct[],
): Promise<PriceOf> {
  const fields = await findFields(tx, account_id, 'catalogs', list)
  const stored = await storedValuesOf(tx, account_id, [...new Set(products.map((one) => one.element_id))])
  const usual = fields.byCode.get(PRICE_FIELD)?.id
  const shown = new Map(stored.entries().map(([id, values]) => [id, showValues(fields, values) ?? []]))
  return ({ element_id, price_id }) => {
    const named = price_id !== null && fields.byId.has(price_id) ? price_id : usual
    const value = shown.get(element_id)?.find(({ field_id }) => field_id === named)?.values[0]
    const price = Number((value as { value?: unknown } | undefined)?.value)
    return Number.isFinite(price) ? price : 0
  }
}

/** The list of products if these changes write prices of leads that are the sums of products. */
export async function listOfPrices(
  tx: Tx,
  account_id: number,
  type: EntityType,
  patches: readonly RecordPatch[],
): Promise<number | undefined> {
  const writesPrices = type === 'leads' && patches.some(({ price }) => price !== undefined)
  return writesPrices ? summingList(tx, account_id) : undefined
}

/** The faults of prices that somebody writes by hand while they are the sums of products of the list. */
export async function faultsOfPrices(
  tx: Tx,
  account_id: number,
  list: number | undefined,
  copies: readonly WorkingCopy[],
  patches: readonly RecordPatch[],
): Promise<Fault[]> {
  if (list === undefined) return []
  const written = copies.flatMap(({ before, row }, i) => {
    const isSame = before?.price === row.price && before.price_with_minor_units === row.price_with_minor_units
    return patches[i]?.price === undefined || isSame ? [] : [{ id: row.id, i }]
  })
  if (written.length === 0) return []
  const products = await linkedProducts(
    tx,
    account_id,
    written.map(({ id }) => id),
    list,
  )
  const summed = new Set(products.map(({ lead_id }) => lead_id))
  return written
    .filter(({ id }) => summed.has(id))
    .map(({ i }) => ({
      request_id: String(patches[i]?.request_id ?? i),
      code: 'NotSupportedChoice',
      path: 'price',
      detail: 'The price is the sum of the products of this lead.',
    }))
}
