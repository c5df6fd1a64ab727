import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import { filteredIds } from '../../custom-fields/custom-fields.ts'
import type { Db } from '../../db/database.ts'
import { sortKey } from '../../db/dialect.ts'
import type { EntityRow } from '../../db/tables.ts'
import type { ValuePosition } from '../../http/queries/paging.ts'
import type { EntityType } from '../records/entity-types.ts'
import type { Order, ScanOrder } from '../records/orders.ts'
import { selectListed } from '../records/queries.ts'
import { otherConditions } from './conditions.ts'
import type { Filters } from './filters.ts'
import { narrowingsOf } from './narrowings.ts'
import type { RecordFilter, RecordList } from './record-list.ts'

export type InOrder = RecordFilter & { order: Order }

/** Records with a value in the order's column, or those without. */
export type Part = 'all' | 'valued' | 'empty'

/** The rows of a page: from a position on, in an order. */
export interface Walk {
  order: ScanOrder
  part: Part
  /** The last row of the previous page; rows before it are not read again. */
  after: ValuePosition | null
  /** The last row that is read, if it is not the last of the list. */
  until?: ValuePosition | null
  limit: number
  offset: number
}

/** The position of a row in the order of a list. */
export const positionIn = (
  { column }: Order,
  row: Pick<EntityRow, 'id'> & Partial<Pick<EntityRow, Order['column']>>,
): ValuePosition => ({ value: row[column] ?? null, id: row.id })

/** The conditions of a page, and whether its rows are sorted after they are found. */
interface PageConditions {
  conditions: Expression<SqlBool>[]
  isSorted: boolean
}

/**
 * A page of a list, whose conditions are found by their own indexes. The order of ids uses the primary key; the others
 * have their own indexes. A single value of a field is scanned in field_keys, which is in the order of ids too.
 */
export function pageQuery(list: RecordList, { filters, words }: RecordFilter, walk: Walk) {
  const { db, access, type } = list
  const { account_id } = access.actor
  const { order } = walk
  const [scanned, others] = order.column === 'id' ? takeScanned(filters.fields) : [null, filters.fields]
  const filter = { filters: { ...filters, fields: others }, words }
  const conditions = [
    ...otherConditions(list, filter),
    ...narrowingsOf(list, filter).map(({ byIndex }) => byIndex),
  ]
  const rows = selectListed(db, account_id, type, order.column)
  // Refers to the scanned table, so that the planner recognises its order.
  return inOrder(
    db,
    scanned
      ? rows.innerJoin(filteredIds(db, account_id, scanned).as('found'), 'found.entity_id', 'entities.id')
      : rows,
    { conditions, isSorted: false },
    walk,
    scanned ? 'found.entity_id' : 'entities.id',
  )
}

/** A page of a list with the given conditions. */
export const pageWith = (db: Db, account_id: number, type: EntityType, asked: PageConditions, walk: Walk) =>
  inOrder(db, selectListed(db, account_id, type, walk.order.column), asked, walk, 'entities.id')

/** The rows of a query in an order, from a position on; `id_column` has their ids. */
export function inOrder(
  db: Db,
  rows: ReturnType<typeof selectListed>,
  { conditions, isSorted }: PageConditions,
  { order, part, after, until, limit, offset }: Walk,
  id_column: string,
) {
  const key = (name: string, type: 'number' | 'text' = 'number') =>
    (isSorted ? sortKey(db, sql.ref(name), type) : sql.ref(name)) as RawBuilder<number>
  const id = key(id_column)
  const type = order.column === 'name_key' ? 'text' : 'number'
  const column = order.column === 'id' ? id : key(`entities.${order.column}`, type)
  return rows
    .where((eb) => eb.and(conditions))
    .$if(part === 'valued', (query) => query.where(sql<SqlBool>`${column} is not null`))
    .$if(part === 'empty', (query) => query.where(sql<SqlBool>`${column} is null`))
    .$if(after !== null, (query) => query.where(beyond(order, column, id, after as ValuePosition)))
    .$if(until != null, (query) => query.where(upTo(order, column, id, until as ValuePosition)))
    .$if(part !== 'empty', (query) => query.orderBy(column, order.direction))
    .$if(part === 'empty' || order.column !== 'id', (query) => query.orderBy(id, order.direction))
    .limit(limit)
    .$if(offset !== 0, (query) => query.offset(offset))
}

/** Takes the first filter with a single value of a field. Only its records are scanned, in the order of ids. */
function takeScanned(
  fields: Filters['fields'],
): [scanned: Filters['fields'][number] | null, others: Filters['fields']] {
  const at = fields.findIndex(({ keys, from, to }) => keys?.length === 1 && from === null && to === null)
  return at < 0 ? [null, fields] : [fields[at] as Filters['fields'][number], fields.toSpliced(at, 1)]
}

type Bound = (
  order: ScanOrder,
  ordered: Expression<number>,
  id: Expression<number>,
  position: ValuePosition,
) => Expression<SqlBool>

const compared =
  (ascending: string, descending: string): Bound =>
  ({ column, direction }, ordered, id, position) => {
    const sign = sql.raw(direction === 'asc' ? ascending : descending)
    if (column === 'id' || position.value === null) return sql<SqlBool>`${id} ${sign} ${position.id}`
    return sql<SqlBool>`(${ordered}, ${id}) ${sign} (${position.value}, ${position.id})`
  }

const beyond = compared('>', '<')
const upTo = compared('<=', '>=')
