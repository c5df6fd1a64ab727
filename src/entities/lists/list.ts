import { type FieldSet, findFields } from '../../custom-fields/custom-fields.ts'
import type { Db } from '../../db/database.ts'
import type { Page, ValuePosition } from '../../http/queries/paging.ts'
import type { Access, RecordRight } from '../records/access.ts'
import { type EntityType, entityTypes } from '../records/entity-types.ts'
import type { ListedEntity } from '../records/listed-columns.ts'
import { type Order, readOrder } from '../records/orders.ts'
import { isHidden, type ListQuery, readRecordFilter, type Within, withCoveredPeople } from './conditions.ts'
import { type InOrder, pageQuery, positionIn } from './page-query.ts'
import { chooseScan } from './page-scan.ts'
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
  rows: ListedEntity[],
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
  const filter = await readRecordFilter(db, account_id, type, query, fields)
  if (filter === null) return { records: [], next: null }
  const { rows, next } = await readPage(db, access, type, { ...filter, order }, fields, options)
  return { records: await show(db, access, type, rows, fields, options), next }
}

/** The stored rows of a page. `fields` are those of the kind, or of the list of elements. */
export async function readPage(
  db: Db,
  access: Access,
  type: EntityType,
  filter: InOrder,
  fields: FieldSet,
  options: ListOptions,
): Promise<{ rows: ListedEntity[]; next: ValuePosition | null }> {
  const { order } = filter
  const { limit } = options.page
  const after = options.after && isOf(order, options.after) ? options.after : null
  const found = await rowsOf(db, access, type, filter, fields, { ...options, after })
  const rows = found.slice(0, limit)
  const last = rows.at(-1)
  return { rows, next: found.length > limit && last ? positionIn(order, last) : null }
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
  asked: InOrder,
  fields: FieldSet,
  options: ListOptions,
): Promise<ListedEntity[]> {
  const { after, page, catalog_id, rights } = options
  const in_trash = options.with.has('only_deleted')
  const place = { catalog_id, in_trash, ...(rights && { rights }) }
  if (isHidden(access, type, place)) return []
  const { filter, within } = withCoveredPeople(access, type, asked, place)
  const read = await chooseScan(db, access, type, filter, fields, within)
  const offset = after === null ? page.offset : 0
  if (!filter.order.hasEmpty) return read('all', { after, limit: page.limit + 1, offset })
  const isBeyond = after !== null && after.value === null
  const valued = isBeyond ? [] : await read('valued', { after, limit: page.limit + 1, offset })
  const rest = page.limit + 1 - valued.length
  if (rest === 0) return valued
  const isAmongEmpty = after === null && offset > 0 && valued.length === 0
  const passed = isAmongEmpty ? await countValued(db, access, type, filter, within, offset) : offset
  const empty = await read('empty', { after: isBeyond ? after : null, limit: rest, offset: offset - passed })
  return [...valued, ...empty]
}

async function countValued(
  db: Db,
  access: Access,
  type: EntityType,
  filter: InOrder,
  within: Within,
  limit: number,
): Promise<number> {
  const valued = pageQuery(db, access, type, filter, { ...within, after: null, offset: 0, limit }, 'valued')
  const { count } = await db
    .selectFrom(valued.clearSelect().select('entities.id').as('valued'))
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}
