import { type FieldSet, findFields } from '../../custom-fields/custom-fields.ts'
import type { Page, ValuePosition } from '../../http/queries/paging.ts'
import { entityTypes } from '../records/entity-types.ts'
import type { ListedEntity } from '../records/listed-columns.ts'
import { type Order, readOrder } from '../records/orders.ts'
import { isHidden, type ListQuery, readRecordFilter, withCoveredPeople } from './conditions.ts'
import { type InOrder, pageQuery, positionIn } from './page-query.ts'
import { chooseScan } from './page-scan.ts'
import type { RecordList, RecordReader } from './record-list.ts'
import type { Showing } from './show.ts'

/** The place of a page in its list. */
interface PagePlace {
  page: Page
  /** The position at the end of the previous page; rows before it are not read again. */
  after: ValuePosition | null
}

export interface ListOptions extends Showing, PagePlace {
  catalog_id?: number
}

/** `showRecords` or `recordTexts`. */
type Show<T> = (
  reader: RecordReader,
  rows: ListedEntity[],
  fields: FieldSet,
  showing: Showing,
) => Promise<T[]>

/** Lists a page of visible records of one kind, and returns the position of the next page. */
export async function listEntities<T>(
  reader: RecordReader,
  query: ListQuery,
  options: ListOptions,
  show: Show<T>,
): Promise<{ records: T[]; next: ValuePosition | null }> {
  const { db, access, type } = reader
  const { catalog_id } = options
  const { account_id } = access.actor
  const fields = await findFields(db, account_id, entityTypes[type].fields, catalog_id ?? null)
  const order = readOrder(type, query.order)
  const filter = await readRecordFilter(db, account_id, type, query, fields)
  if (filter === null) return { records: [], next: null }
  const list = { ...reader, catalog_id, in_trash: options.with.has('only_deleted') }
  const { rows, next } = await readPage(list, { ...filter, order }, fields, options)
  return { records: await show(reader, rows, fields, options), next }
}

/** The stored rows of a page. `fields` are those of the kind, or of the list of elements. */
export async function readPage(
  list: RecordList,
  filter: InOrder,
  fields: FieldSet,
  place: PagePlace,
): Promise<{ rows: ListedEntity[]; next: ValuePosition | null }> {
  const { order } = filter
  const { limit } = place.page
  const after = place.after && isOf(order, place.after) ? place.after : null
  const found = await rowsOf(list, filter, fields, { ...place, after })
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
  asked: RecordList,
  filterOfQuery: InOrder,
  fields: FieldSet,
  { page, after }: PagePlace,
): Promise<ListedEntity[]> {
  if (isHidden(asked)) return []
  const { list, filter } = withCoveredPeople(asked, filterOfQuery)
  const read = await chooseScan(list, filter, fields)
  const offset = after === null ? page.offset : 0
  const limit = page.limit + 1
  if (!filter.order.hasEmpty) return read({ part: 'all', after, limit, offset })
  const isBeyond = after !== null && after.value === null
  const valued = isBeyond ? [] : await read({ part: 'valued', after, limit, offset })
  const rest = limit - valued.length
  if (rest === 0) return valued
  const isAmongEmpty = after === null && offset > 0 && valued.length === 0
  const passed = isAmongEmpty ? await countValued(list, filter, offset) : offset
  const from = isBeyond ? after : null
  return [...valued, ...(await read({ part: 'empty', after: from, limit: rest, offset: offset - passed }))]
}

async function countValued(list: RecordList, filter: InOrder, limit: number): Promise<number> {
  const { order } = filter
  const valued = pageQuery(list, filter, { order, part: 'valued', after: null, offset: 0, limit })
  const { count } = await list.db
    .selectFrom(valued.clearSelect().select('entities.id').as('valued'))
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}
