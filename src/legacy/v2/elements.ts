import { type Static, type TSchema, Type } from 'typebox'
import type { Actor } from '../../accounts/accounts.ts'
import { listCatalogs } from '../../catalogs/catalogs.ts'
import { ElementInBatch, NewElement } from '../../catalogs/schemas.ts'
import type { Context } from '../../context.ts'
import { type FieldSet, findFields } from '../../custom-fields/custom-fields.ts'
import {
  type Access,
  addEntities,
  editEntities,
  findEntities,
  listEntities,
  loadAccess,
  moveToTrash,
  showRecords,
} from '../../entities/entities.ts'
import type { Element } from '../../entities/records/record-schemas.ts'
import { invalid } from '../../errors.ts'
import { listOf, type QueryValue, textOf } from '../../http/queries/bracket-query.ts'
import { numberOf } from '../../http/queries/query-values.ts'
import { writtenFields } from '../field-values.ts'
import { filterOf, LegacyQuery, MAX_ROWS } from '../list-parameters.ts'
import { type Draft, draftOf, type Item, numberIn, type Translate, textIn, to } from '../members.ts'
import { asOne, type Batch, inBatch, MAX_ITEMS, requestIdOf, validated } from '../requests.ts'
import { Links, linksTo } from './bodies.ts'
import { Fields, fieldsOf } from './record-views.ts'
import { DELETED } from './set-records.ts'

/** An element of a list as the second API has it. */
export const V2Element = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    created_by: Type.Integer(),
    created_at: Type.Integer(),
    updated_at: Type.Integer(),
    updated_by: Type.Integer(),
    is_deleted: Type.Boolean(),
    custom_fields: Fields,
    catalog_id: Type.Integer(),
    _links: Links,
  },
  { title: 'V2Element' },
)

const Row = Type.Integer({ minimum: 1, maximum: MAX_ROWS })
const PageNumber = { minimum: 1, maximum: 10_000 }

export const ElementsQuery = Type.Object({
  ...Type.Omit(LegacyQuery, ['limit_rows', 'limit_offset']).properties,
  limit_rows: Type.Optional(Row),
  limit_offset: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000 })),
  page: Type.Optional(Type.Integer({ ...PageNumber, description: 'Counted from 1.' })),
  PAGEN_1: Type.Optional(Type.Integer({ ...PageNumber, description: 'As `page`.' })),
  catalog_id: Type.Optional(Type.Unknown({ description: 'The id of the list.' })),
  term: Type.Optional(Type.Unknown({ description: 'Words that the element contains.' })),
})

type Asked = Omit<LegacyQuery, 'limit_rows' | 'limit_offset'> & {
  limit_rows?: number
  limit_offset?: number
  page?: number
  PAGEN_1?: number
  catalog_id?: QueryValue
  term?: QueryValue
}

/** The length of a page whose length a client does not say. */
const PAGE = 50

/** The visible elements of a list, or those with the ids that the client names, by id. */
export async function findV2Elements(
  ctx: Context,
  actor: Actor,
  query: LegacyQuery,
): Promise<Static<typeof V2Element>[]> {
  const asked = query as Asked
  const { catalog_id, id } = asked
  if (catalog_id === undefined && id === undefined)
    throw invalid('catalog_id', 'FieldMissing', 'This parameter names the list of the elements.')
  const access = await loadAccess(ctx.db, actor)
  const seen = (await listCatalogs(ctx.db, access)).map((list) => list.id)
  const limit = asked.limit_rows ?? PAGE
  const page = Math.max(1, asked.page ?? asked.PAGEN_1 ?? 1)
  const offset = asked.limit_offset ?? (page - 1) * limit
  if (catalog_id !== undefined) {
    const list = numberOf('catalog_id', textOf(catalog_id))
    return seen.includes(list) ? elementsOf(ctx, access, list, asked, { limit, offset }) : []
  }
  const ids = listOf(id).map((value) => numberOf('id', value))
  if (ids.length > MAX_ITEMS) throw invalid('id', 'TooMany', `A request names at most ${MAX_ITEMS} ids.`)
  const rows = await findEntities(ctx.db, actor.account_id, 'catalog_elements', ids)
  const named = new Set(rows.map((row) => row.catalog_id))
  const found: Static<typeof V2Element>[] = []
  for (const list of seen.filter((list) => named.has(list)))
    found.push(...(await elementsOf(ctx, access, list, asked, { limit: MAX_ITEMS, offset: 0 })))
  return found.slice(offset, offset + limit)
}

async function elementsOf(
  ctx: Context,
  access: Access,
  catalog_id: number,
  asked: Asked,
  { limit, offset }: { limit: number; offset: number },
): Promise<Static<typeof V2Element>[]> {
  const words = textOf(asked.term ?? asked.query)
  const query = {
    filter: await filterOf(ctx, access.actor, asked as unknown as LegacyQuery, undefined),
    ...(words !== '' && { query: words }),
  }
  const options = {
    page: { page: 1, limit, offset },
    after: null,
    with: new Set<never>(),
    base: '',
    catalog_id,
  }
  const reader = { db: ctx.db, access, type: 'catalog_elements' as const }
  const { records } = await listEntities(reader, query, options, showRecords)
  const fields = await findFields(ctx.db, access.actor.account_id, 'catalogs', catalog_id)
  return (records as Element[]).map((element) => elementView(element, fields))
}

const elementView = (element: Element, fields: FieldSet): Static<typeof V2Element> => ({
  id: element.id,
  name: element.name,
  created_by: element.created_by,
  created_at: element.created_at,
  updated_at: element.updated_at,
  updated_by: element.updated_by,
  is_deleted: element.is_deleted,
  custom_fields: fieldsOf(element, fields),
  catalog_id: element.catalog_id,
  _links: linksTo(`catalog_elements?id=${element.id}&catalog_id=${element.catalog_id}`),
})

const members: Record<string, Translate> = { id: to('id', numberIn), name: to('name', textIn) }

/** Adds, changes and deletes elements of any lists, all of them or none. */
export function setV2Elements(
  ctx: Context,
  actor: Actor,
  { add, update, gone }: { add: Batch; update: Batch; gone: readonly number[] },
) {
  return asOne(async () => {
    const added = await inLists(ctx, actor, add, NewElement, (catalog_id, drafts) =>
      addEntities(ctx, actor, 'catalog_elements', drafts, { catalog_id }),
    )
    const changed = await inLists(ctx, actor, update, ElementInBatch, (catalog_id, drafts) =>
      editEntities(ctx, actor, 'catalog_elements', drafts, 'item', { catalog_id }),
    )
    const listOfElement = await listsOf(ctx, actor, gone)
    for (const [catalog_id, ids] of sorted(Map.groupBy(gone, listOfElement))) {
      const named = ids.map((id) => ({ id, request_id: gone.indexOf(id) }))
      await inBatch(DELETED, () => moveToTrash(ctx, actor, 'catalog_elements', named, 'item', { catalog_id }))
    }
    return {
      add: added.map(({ id }, i) => ({ id, request_id: requestIdOf(add.items[i] as Item, i) })),
      update: changed.map(({ id, updated_at }) => ({ id, last_modified: updated_at })),
    }
  })
}

/** Writes the items of each list together. Returns what was written, in the order of the items. */
async function inLists<Schema extends TSchema, Row>(
  ctx: Context,
  actor: Actor,
  batch: Batch,
  schema: Schema,
  write: (catalog_id: number, drafts: Static<Schema>[]) => Promise<Row[]>,
): Promise<Row[]> {
  const lists = await listsNamed(ctx, actor, batch)
  const fields = new Map<number, FieldSet>()
  for (const list of new Set(lists))
    fields.set(list, await findFields(ctx.db, actor.account_id, 'catalogs', list))
  const items = batch.items.map((item, i) => ({
    ...draftIn(item, fields.get(lists[i] as number) as FieldSet),
    request_id: i,
  }))
  const drafts = validated(schema, items, batch)
  const written: Row[] = []
  for (const [list, places] of sorted(Map.groupBy(lists.keys(), (i) => lists[i] as number))) {
    const own = places.map((i) => drafts[i] as Static<Schema>)
    const rows = await inBatch(batch, () => write(list, own))
    rows.forEach((row, i) => {
      written[places[i] as number] = row
    })
  }
  return written
}

/** The list of each item. A change can leave it out. */
async function listsNamed(ctx: Context, actor: Actor, { at, items }: Batch): Promise<number[]> {
  const isId = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) > 0
  const changed = items.map(({ id }) => numberIn(id)).filter(isId)
  const known = await listsOf(ctx, actor, changed)
  return items.map(({ id, catalog_id }, i) => {
    const element = numberIn(id)
    const list = catalog_id === undefined && isId(element) ? known(element) : numberIn(catalog_id)
    if (isId(list)) return list
    throw invalid(`${at}.${i}.catalog_id`, 'InvalidType', 'This value should be the id of a list.')
  })
}

const draftIn = (item: Item, fields: FieldSet): Draft => ({
  ...draftOf(item, members),
  ...(item.custom_fields != null && { custom_fields_values: writtenFields(item.custom_fields, fields) }),
})

/** Requests write lists in one order, so that they never wait for each other. */
const sorted = <Entry>(byList: Map<number, Entry[]>) => [...byList].sort(([a], [b]) => a - b)

/**
 * The lists of elements. One that does not exist is looked for in the first list of the account, where it is refused like
 * one that the person cannot see (R6).
 */
async function listsOf(ctx: Context, actor: Actor, ids: readonly number[]): Promise<(id: number) => number> {
  if (ids.length === 0) return () => Number.NaN
  const rows = await findEntities(ctx.db, actor.account_id, 'catalog_elements', [...new Set(ids)])
  const lists = new Map(rows.map((row) => [row.id, row.catalog_id as number]))
  const [first] = await listCatalogs(ctx.db, await loadAccess(ctx.db, actor))
  return (id) => lists.get(id) ?? first?.id ?? Number.MAX_SAFE_INTEGER
}
