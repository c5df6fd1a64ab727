import { type Actor, accountLanguage, requireAdmin } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import { completeListFields } from '../custom-fields/custom-fields.ts'
import type { Db } from '../db/database.ts'
import type { CatalogRow } from '../db/tables.ts'
import { findCatalogs } from '../entities/entities.ts'
import { invalid, Refusal } from '../errors.ts'
import { addCatalogs, changeCatalogs } from './lists.ts'

/** Whether cards show products, and the list of products if there is one (K6). */
export interface ProductsSettings {
  is_enabled: boolean
  catalog_id: number | null
  /** Whether the price of a lead is the sum of its products. */
  sums_leads: boolean
}

/** Names of the list, by account language. */
const names: Readonly<Record<string, string>> = {
  en: 'Products',
  es: 'Productos',
  ru: 'Товары',
  pt: 'Produtos',
}

/** The settings, for everybody. */
export async function readProducts(ctx: Context, { account_id }: Actor): Promise<ProductsSettings> {
  const list = await findProducts(ctx, account_id)
  return {
    is_enabled: list?.can_show_in_cards === 1,
    catalog_id: list?.id ?? null,
    sums_leads: list?.sums_leads === 1,
  }
}

const findProducts = async ({ db }: { db: Db }, account_id: number): Promise<CatalogRow | undefined> =>
  (await findCatalogs(db, { account_id })).find(({ type }) => type === 'products')

/**
 * Enables or disables products, and whether they make the prices of leads, for administrators. Enabling creates the list
 * of products and its fields if they are missing; disabling only hides the list on cards.
 */
export async function changeProducts(
  ctx: Context,
  actor: Actor,
  { is_enabled, sums_leads }: { is_enabled?: boolean | undefined; sums_leads?: boolean | undefined },
): Promise<ProductsSettings> {
  requireAdmin(actor)
  const list = await findProducts(ctx, actor.account_id)
  if (list && is_enabled !== undefined)
    await changeCatalogs(ctx, actor, [{ id: list.id, can_show_in_cards: is_enabled }], 'path')
  else if (is_enabled) await addList(ctx, actor)
  // A list can lack fields that were deleted.
  if (list && is_enabled) await completeListFields(ctx, actor, list)
  if (sums_leads !== undefined) await changeSums(ctx, actor, sums_leads)
  return readProducts(ctx, actor)
}

/** Leads keep their prices until their products change. */
async function changeSums(ctx: Context, actor: Actor, sums_leads: boolean): Promise<void> {
  const list = await findProducts(ctx, actor.account_id)
  if (list) await changeCatalogs(ctx, actor, [{ id: list.id, sums_leads }], 'path')
  else if (sums_leads)
    throw invalid('sums_leads', 'NotSupportedChoice', 'Products must be enabled before they make prices.')
}

/**
 * Adds the list. It is no failure if another request has just added it: a transaction sees that, and ends after the commit
 * of what it has seen.
 */
async function addList(ctx: Context, actor: Actor): Promise<void> {
  const name = names[await accountLanguage(ctx, actor)] ?? (names.en as string)
  try {
    await addCatalogs(ctx, actor, [{ name, type: 'products', can_show_in_cards: true }])
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const found = await ctx.db.transaction().execute((db) => findProducts({ db }, actor.account_id))
    if (!found) throw error
  }
}
