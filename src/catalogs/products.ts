import { type Actor, accountLanguage, requireAdmin } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import { addFields, findFields } from '../custom-fields/custom-fields.ts'
import type { Db } from '../db/database.ts'
import type { CatalogRow } from '../db/tables.ts'
import { findCatalogs } from '../entities/entities.ts'
import { invalid, Refusal } from '../errors.ts'
import { findStages } from '../pipelines/pipelines.ts'
import { addCatalogs, changeCatalogs, hasCatalog } from './lists.ts'

/** Whether cards show products, and the list of products if there is one (K6). */
export interface ProductsSettings {
  is_enabled: boolean
  catalog_id: number | null
  /** Whether the price of a lead is the sum of its products. */
  sums_leads: boolean
}

/** Names of the list and of its fields, by account language. */
const words = {
  en: {
    list: 'Products',
    SKU: 'SKU',
    DESCRIPTION: 'Description',
    PRICE: 'Price',
    GROUP: 'Group',
    EXTERNAL_ID: 'External ID',
    first_group: 'General',
  },
  es: {
    list: 'Productos',
    SKU: 'SKU',
    DESCRIPTION: 'Descripción',
    PRICE: 'Precio',
    GROUP: 'Grupo',
    EXTERNAL_ID: 'ID externo',
    first_group: 'General',
  },
  ru: {
    list: 'Товары',
    SKU: 'Артикул',
    DESCRIPTION: 'Описание',
    PRICE: 'Цена',
    GROUP: 'Группа',
    EXTERNAL_ID: 'Внешний ID',
    first_group: 'Общее',
  },
  pt: {
    list: 'Produtos',
    SKU: 'SKU',
    DESCRIPTION: 'Descrição',
    PRICE: 'Preço',
    GROUP: 'Grupo',
    EXTERNAL_ID: 'ID externo',
    first_group: 'Geral',
  },
} as const

const fieldTypes = {
  SKU: 'text',
  DESCRIPTION: 'textarea',
  PRICE: 'price',
  GROUP: 'category',
  EXTERNAL_ID: 'text',
} as const
const codes = Object.keys(fieldTypes) as (keyof typeof fieldTypes)[]

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
 * Adds something. It is no failure if another request has just added it: a transaction sees that, and ends after the commit
 * of what it has seen.
 */
async function addUnlessThere(
  ctx: Context,
  add: () => Promise<unknown>,
  isThere: (db: Db) => Promise<boolean>,
): Promise<void> {
  try {
    await add()
  } catch (error) {
    if (!(error instanceof Refusal) || !(await ctx.db.transaction().execute(isThere))) throw error
  }
}

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
  if (is_enabled) await addMissingFields(ctx, actor)
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

async function addList(ctx: Context, actor: Actor): Promise<void> {
  const { list } = await wordsOf(ctx, actor)
  await addUnlessThere(
    ctx,
    () => addCatalogs(ctx, actor, [{ name: list, type: 'products', can_show_in_cards: true }]),
    async (db) => (await findProducts({ db }, actor.account_id)) !== undefined,
  )
}

/** Also completes a list that somebody made by hand, and one whose fields were not added because the server stopped. */
async function addMissingFields(ctx: Context, actor: Actor): Promise<void> {
  const { id } = (await findProducts(ctx, actor.account_id)) as CatalogRow
  const findMissing = async (db: Db) => {
    const { byCode } = await findFields(db, actor.account_id, 'catalogs', id)
    return codes.filter((code) => !byCode.has(code))
  }
  const names = await wordsOf(ctx, actor)
  const missing = (await findMissing(ctx.db)).map((code) => ({
    name: names[code],
    code,
    type: fieldTypes[code],
    // A field of groups has at least one.
    ...(code === 'GROUP' && { nested: [{ value: names.first_group }] }),
  }))
  if (missing.length === 0) return
  const home = { owner: 'catalogs', catalog_id: id } as const
  await addUnlessThere(
    ctx,
    () => addFields(ctx, { hasCatalog, findStages }, actor, home, missing),
    async (db) => (await findMissing(db)).length === 0,
  )
}

const wordsOf = async (ctx: Context, actor: Actor) =>
  words[(await accountLanguage(ctx, actor)) as keyof typeof words] ?? words.en
