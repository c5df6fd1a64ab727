import { type Expression, type SqlBool, sql } from 'kysely'
import { type FieldFilter, type FieldSet, filteredIds, findFields } from '../custom-fields/custom-fields.ts'
import type { Db } from '../db/database.ts'
import type { Page, ValuePosition } from '../http/paging.ts'
import type { Access, RecordRight } from './access.ts'
import { conditionsOf, type ListQuery, type RecordFilter, readRecordFilter } from './conditions.ts'
import { type EntityType, entityTypes } from './entity-types.ts'
import { type Order, readOrder } from './orders.ts'
import { type StoredEntity, selectEntities } from './queries.ts'
import type { Showing } from './show.ts'

export interface ListOptions extends Showing {
  page: Page
  /** The position at the end of the previous page; rows before it are not read again. */
  after: ValuePosition | null
  catalog_id?: number
  /** Rights that the reader needs on each record; by default `view`. */
  rights?: readonly RecordRight[]
}

/** `showRecords` or `recordTexts`. */
type Show<T> = (
  db: Db,
  access: Access,
  type: EntityType,
  rows: StoredEntity[],
  fields: FieldSet,
  showing: Showing,
) => Promise<T[]>

/** Lists a page of visible records of one kind, and returns the position of the next page. */
export async function listEntities<T>(
  db: Db,
  access: Access,
  type: EntityType,
  query: ListQuery,
  options: ListOptions,
  show: Show<T>,
): Promise<{ records: T[]; next: ValuePosition | null }> {
  const { account_id } = access.actor
  const fields = await findFields(db, account_id, entityTypes[type].fields, options.catalog_id ?? null)
  const order = readOrder(type, query.order)
  const filter = readRecordFilter(type, query, fields)
  if (filter === null) return { records: [], next: null }
  const { rows, next } = await readPage(db, access, type, { ...filter, order }, options)
  return { records: await show(db, access, type, rows, fields, options), next }
}

type InOrder = RecordFilter & { order: Order }

/** The stored rows of a page. */
export async function readPage(
  db: Db,
  access: Access,
  type: EntityType,
  filter: InOrder,
  options: ListOptions,
): Promise<{ rows: StoredEntity[]; next: ValuePosition | null }> {
  const { order } = filter
  const { limit } = options.page
  const after = options.after && isOf(order, options.after) ? options.after : null
  const found = await rowsOf(db, access, type, filter, { ...options, after })
  const rows = found.slice(0, limit)
  const last = rows.at(-1)
  const next = found.length > limit && last ? { value: last[order.column], id: last.id } : null
  return { rows, next }
}

/** A position comes from a URL, and can belong to another order. */
const isOf = ({ column, hasEmpty }: Order, { value }: ValuePosition): boolean =>
  value === null ? hasEmpty : (typeof value === 'string') === (column === 'name_key')

/**
 * Selects one row more than the page, to know whether there is a next page. Records without a value in the column
 * are a second scan after the others. So they come last in both directions, and both scans are ranges of the index.
 */
async function rowsOf(
  db: Db,
  access: Access,
  type: EntityType,
  filter: InOrder,
  options: ListOptions,
): Promise<StoredEntity[]> {
  const { after, page } = options
  const walk = (part: Part, offset: number, limit: number, from: ValuePosition | null) =>
    pageQuery(db, access, type, filter, { ...options, after: from, offset, limit }, part)
  if (!filter.order.hasEmpty) return walk('all', page.offset, page.limit + 1, after).execute()
  const isBeyond = after !== null && after.value === null
  const valued = isBeyond ? [] : await walk('valued', page.offset, page.limit + 1, after).execute()
  const rest = page.limit + 1 - valued.length
  if (rest === 0) return valued
  const isAmongEmpty = after === null && page.offset > 0 && valued.length === 0
  const passed = isAmongEmpty ? await countValued(db, access, type, filter, options) : page.offset
  const empty = await walk('empty', page.offset - passed, rest, isBeyond ? after : null).execute()
  return [...valued, ...empty]
}

async function countValued(
  db: Db,
  access: Access,
  type: EntityType,
  filter: InOrder,
  options: ListOptions,
): Promise<number> {
  const { page } = options
  const valued = pageQuery(
    db,
    access,
    type,
    filter,
    { ...options, after: null, offset: 0, limit: page.offset },
    'valued',
  )
  const { count } = await db
    .selectFrom(valued.clearSelect().select('entities.id').as('valued'))
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Records with a value in the order's column, or those without. */
type Part = 'all' | 'valued' | 'empty'

type Walk = Pick<ListOptions, 'after' | 'with' | 'catalog_id' | 'rights'> & { limit: number; offset: number }

/**
 * The order of ids uses the primary key; the others have their own indexes. A single value of a field is scanned in
 * field_keys, which is in the order of ids too.
 */
export function pageQuery(
  db: Db,
  access: Access,
  type: EntityType,
  { filters, order, words }: InOrder,
  { after, with: names, catalog_id, rights, limit, offset }: Walk,
  part: Part = 'all',
) {
  const { account_id } = access.actor
  const [scanned, others] = order.column === 'id' ? takeScanned(filters.fields) : [null, filters.fields]
  const within = { catalog_id, in_trash: names.has('only_deleted'), ...(rights && { rights }) }
  const filter = { filters: { ...filters, fields: others }, words }
  const conditions = conditionsOf(db, access, type, filter, within)
  // Refers to the scanned table, so that the planner recognises its order.
  const id = sql.ref<number>(scanned ? 'found.entity_id' : 'entities.id')
  const column = order.column === 'id' ? id : sql.ref<number>(`entities.${order.column}`)
  const rows = selectEntities(db, account_id, type)
  return (
    scanned
      ? rows.innerJoin(filteredIds(db, account_id, scanned).as('found'), 'found.entity_id', 'entities.id')
      : rows
  )
    .where((eb) => eb.and(conditions))
    .$if(part === 'valued', (query) => query.where(sql<SqlBool>`${column} is not null`))
    .$if(part === 'empty', (query) => query.where(sql<SqlBool>`${column} is null`))
    .$if(after !== null, (query) => query.where(beyond(order, column, id, after as ValuePosition)))
    .$if(part !== 'empty', (query) => query.orderBy(column, order.direction))
    .$if(part === 'empty' || order.column !== 'id', (query) => query.orderBy(id, order.direction))
    .limit(limit)
    .$if(after === null, (query) => query.offset(offset))
}

/** Takes the first filter with a single value of a field. Only its records are scanned, in the order of ids. */
function takeScanned(fields: FieldFilter[]): [scanned: FieldFilter | null, others: FieldFilter[]] {
  const at = fields.findIndex(({ keys, from, to }) => keys?.length === 1 && from === null && to === null)
  return at < 0 ? [null, fields] : [fields[at] as FieldFilter, fields.toSpliced(at, 1)]
}

function beyond(
  { column, direction }: Order,
  ordered: Expression<number>,
  id: Expression<number>,
  position: ValuePosition,
): Expression<SqlBool> {
  const sign = sql.raw(direction === 'asc' ? '>' : '<')
  if (column === 'id' || position.value === null) return sql<SqlBool>`${id} ${sign} ${position.id}`
  return sql<SqlBool>`(${ordered}, ${id}) ${sign} (${position.value}, ${position.id})`
}
