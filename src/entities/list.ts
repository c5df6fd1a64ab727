import { type Expression, type SqlBool, sql } from 'kysely'
import { type FieldFilter, filteredIds, findFields } from '../custom-fields/custom-fields.ts'
import type { Db } from '../db/database.ts'
import { isOneOf } from '../db/dialect.ts'
import type { QueryValue } from '../http/bracket-query.ts'
import type { Page, Position } from '../http/paging.ts'
import { type Access, covered } from './access.ts'
import { type EntityType, entityTypes } from './entity-types.ts'
import { type Filters, type Order, readFilters, readOrder } from './filters.ts'
import { recordsWithWord, selectEntities } from './queries.ts'
import { searchedWords } from './search.ts'
import { type Showing, showRecords } from './show.ts'
import type { RecordView } from './views.ts'

export interface ListQuery {
  filter?: QueryValue
  order?: QueryValue
  query?: QueryValue
}

export interface ListOptions extends Showing {
  page: Page
  /** Where the page before ended; then no row before it is read again. */
  after: Position | null
  catalog_id?: number
}

/** A page of the records of one kind that the actor may see, and where the next one begins. */
export async function listEntities(
  db: Db,
  access: Access,
  type: EntityType,
  asked: ListQuery,
  options: ListOptions,
): Promise<{ records: RecordView[]; next: Position | null }> {
  const { account_id } = access.actor
  const fields = await findFields(db, account_id, entityTypes[type].fields, options.catalog_id ?? null)
  const filters = readFilters(type, asked.filter, fields)
  const order = readOrder(type, asked.order)
  const words = typeof asked.query === 'string' ? searchedWords(asked.query) : null
  // A text without a word in it finds nothing; to answer everything would be the opposite of a search.
  if (words?.length === 0 && (asked.query as string) !== '') return { records: [], next: null }
  const rows = await pageQuery(db, access, type, { filters, order, words: words ?? [] }, options).execute()
  const { limit } = options.page
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  const next = rows.length > limit && last ? { value: last[order.column], id: last.id } : null
  return { records: await showRecords(db, access, type, shown, fields, options), next }
}

interface Asked {
  filters: Filters
  order: Order
  words: string[]
}

/**
 * One row more than the page, to know whether there is a next one. The order of ids is that of the primary key, the
 * others have indexes of their own; a field's single value is walked in field_keys, which is in the order of ids too.
 */
export function pageQuery(
  db: Db,
  access: Access,
  type: EntityType,
  { filters, order, words }: Asked,
  { page, after, with: names, catalog_id }: ListOptions,
) {
  const { account_id } = access.actor
  const [walked, others] = order.column === 'id' ? takeWalked(filters.fields) : [null, filters.fields]
  const conditions = conditionsOf(db, access, type, { filters: { ...filters, fields: others }, order, words })
  // Named by the table that is walked, so that a planner sees that it walks in this order.
  const id = sql.ref<number>(walked ? 'found.entity_id' : 'entities.id')
  const column = order.column === 'id' ? id : sql.ref<number>(`entities.${order.column}`)
  const rows = selectEntities(db, account_id, type)
  return (
    walked
      ? rows.innerJoin(filteredIds(db, account_id, walked).as('found'), 'found.entity_id', 'entities.id')
      : rows
  )
    .where('entities.is_deleted', '=', names.has('only_deleted') ? 1 : 0)
    .$if(names.has('only_deleted'), (query) => query.where('entities.merged_into', 'is', null))
    .$if(catalog_id !== undefined, (query) => query.where('entities.catalog_id', '=', catalog_id as number))
    .$if(conditions.length > 0, (query) => query.where((eb) => eb.and(conditions)))
    .$if(after !== null, (query) => query.where(beyond(order, column, id, after as Position)))
    .orderBy(column, order.direction)
    .$if(order.column !== 'id', (query) => query.orderBy(id, order.direction))
    .limit(page.limit + 1)
    .$if(after === null, (query) => query.offset(page.offset))
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
  position: Position,
): Expression<SqlBool> {
  const sign = sql.raw(direction === 'asc' ? '>' : '<')
  if (column === 'id') return sql<SqlBool>`${id} ${sign} ${position.id}`
  return sql<SqlBool>`(${ordered}, ${id}) ${sign} (${position.value}, ${position.id})`
}

function conditionsOf(
  db: Db,
  access: Access,
  type: EntityType,
  { filters, words }: Asked,
): Expression<SqlBool>[] {
  const { account_id } = access.actor
  const column = (name: string) => sql.ref(`entities.${name}`)
  const rights = covered(access, 'view', type)
  return [
    ...(rights ? [rights] : []),
    ...filters.values.map(({ column: name, values }) => isAnyOf(db, column(name), values)),
    ...filters.ranges.flatMap(({ column: name, from, to }) => [
      ...(from === null ? [] : [sql<SqlBool>`${column(name)} >= ${from}`]),
      ...(to === null ? [] : [sql<SqlBool>`${column(name)} <= ${to}`]),
    ]),
    ...(filters.statuses.length > 0 ? [inStages(filters.statuses)] : []),
    ...filters.fields.map((field) => inQuery(filteredIds(db, account_id, field))),
    ...words.map((word) => inQuery(recordsWithWord(db, account_id, type, word))),
  ]
}

/** How many values a planner should see one by one: one is an equality, of which an index keeps the order of ids. */
const FEW = 10

function isAnyOf(db: Db, column: Expression<unknown>, values: (number | string)[]): Expression<SqlBool> {
  if (values.length === 1) return sql<SqlBool>`${column} = ${values[0]}`
  return values.length <= FEW && values.length > 0
    ? sql<SqlBool>`${column} in (${sql.join(values)})`
    : isOneOf(db, column, values)
}

const inQuery = (ids: Expression<unknown>): Expression<SqlBool> => sql<SqlBool>`entities.id in ${ids}`

const inStages = (stages: Filters['statuses']): Expression<SqlBool> =>
  sql<SqlBool>`(${sql.join(
    stages.map(
      ({ pipeline_id, status_id }) =>
        sql`(entities.pipeline_id = ${pipeline_id} and entities.status_id = ${status_id})`,
    ),
    sql` or `,
  )})`
