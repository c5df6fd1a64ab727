import { type Expression, type SqlBool, sql } from 'kysely'
import { type FieldFilter, filteredIds, findFields } from '../custom-fields/custom-fields.ts'
import type { Db } from '../db/database.ts'
import type { Page, ValuePosition } from '../http/paging.ts'
import type { Access, RecordRight } from './access.ts'
import { conditionsOf, type ListQuery, type RecordFilter, readRecordFilter } from './conditions.ts'
import { type EntityType, entityTypes } from './entity-types.ts'
import { type Order, readOrder } from './orders.ts'
import { type StoredEntity, selectEntities } from './queries.ts'
import { type Showing, showRecords } from './show.ts'
import type { RecordView } from './views.ts'

export interface ListOptions extends Showing {
  page: Page
  /** Where the page before ended; then no row before it is read again. */
  after: ValuePosition | null
  catalog_id?: number
  /** What the reader has to be allowed; to see them, if nothing is said. */
  rights?: readonly RecordRight[]
}

/** A page of the records of one kind that the actor may see, and where the next one begins. */
export async function listEntities(
  db: Db,
  access: Access,
  type: EntityType,
  query: ListQuery,
  options: ListOptions,
): Promise<{ records: RecordView[]; next: ValuePosition | null }> {
  const { account_id } = access.actor
  const fields = await findFields(db, account_id, entityTypes[type].fields, options.catalog_id ?? null)
  const order = readOrder(type, query.order)
  const asked = readRecordFilter(type, query, fields)
  if (asked === null) return { records: [], next: null }
  const { rows, next } = await readPage(db, access, type, { ...asked, order }, options)
  return { records: await showRecords(db, access, type, rows, fields, options), next }
}

type InOrder = RecordFilter & { order: Order }

/** The rows of a page as they are stored. */
export async function readPage(
  db: Db,
  access: Access,
  type: EntityType,
  asked: InOrder,
  options: ListOptions,
): Promise<{ rows: StoredEntity[]; next: ValuePosition | null }> {
  const { order } = asked
  const { limit } = options.page
  const after = options.after && isOf(order, options.after) ? options.after : null
  const found = await rowsOf(db, access, type, asked, { ...options, after })
  const rows = found.slice(0, limit)
  const last = rows.at(-1)
  const next = found.length > limit && last ? { value: last[order.column], id: last.id } : null
  return { rows, next }
}

/** A position comes in an address, and may be that of a list in another order. */
const isOf = ({ column, hasEmpty }: Order, { value }: ValuePosition): boolean =>
  value === null ? hasEmpty : (typeof value === 'string') === (column === 'name_key')

/**
 * One row more than the page, to know whether there is a next one. Where some records have nothing in the column, these
 * are a walk of their own after the others: so they come last in both directions, and both walks are ranges of the index.
 */
async function rowsOf(
  db: Db,
  access: Access,
  type: EntityType,
  asked: InOrder,
  options: ListOptions,
): Promise<StoredEntity[]> {
  const { after, page } = options
  const walk = (part: Part, offset: number, limit: number, from: ValuePosition | null) =>
    pageQuery(db, access, type, asked, { ...options, after: from, offset, limit }, part)
  if (!asked.order.hasEmpty) return walk('all', page.offset, page.limit + 1, after).execute()
  const isBeyond = after !== null && after.value === null
  const valued = isBeyond ? [] : await walk('valued', page.offset, page.limit + 1, after).execute()
  const rest = page.limit + 1 - valued.length
  if (rest === 0) return valued
  const isAmongEmpty = after === null && page.offset > 0 && valued.length === 0
  const passed = isAmongEmpty ? await countValued(db, access, type, asked, options) : page.offset
  const empty = await walk('empty', page.offset - passed, rest, isBeyond ? after : null).execute()
  return [...valued, ...empty]
}

async function countValued(
  db: Db,
  access: Access,
  type: EntityType,
  asked: InOrder,
  options: ListOptions,
): Promise<number> {
  const { page } = options
  const valued = pageQuery(
    db,
    access,
    type,
    asked,
    { ...options, after: null, offset: 0, limit: page.offset },
    'valued',
  )
  const { count } = await db
    .selectFrom(valued.clearSelect().select('entities.id').as('valued'))
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Of the records, those that have something in the column of the order, or those that have not. */
type Part = 'all' | 'valued' | 'empty'

type Walk = Pick<ListOptions, 'after' | 'with' | 'catalog_id' | 'rights'> & { limit: number; offset: number }

/**
 * The order of ids is that of the primary key, the others have indexes of their own; a field's single value is walked in
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
  const [walked, others] = order.column === 'id' ? takeWalked(filters.fields) : [null, filters.fields]
  const within = { catalog_id, in_trash: names.has('only_deleted'), ...(rights && { rights }) }
  const asked = { filters: { ...filters, fields: others }, words }
  const conditions = conditionsOf(db, access, type, asked, within)
  // Named by the table that is walked, so that a planner sees that it walks in this order.
  const id = sql.ref<number>(walked ? 'found.entity_id' : 'entities.id')
  const column = order.column === 'id' ? id : sql.ref<number>(`entities.${order.column}`)
  const rows = selectEntities(db, account_id, type)
  return (
    walked
      ? rows.innerJoin(filteredIds(db, account_id, walked).as('found'), 'found.entity_id', 'entities.id')
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

/** The first filter that asks for one value of a field: its records are walked in the order of ids, and not all of them. */
function takeWalked(fields: FieldFilter[]): [walked: FieldFilter | null, others: FieldFilter[]] {
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
