import { type Expression, type SqlBool, sql } from 'kysely'
import { type FieldSet, filteredIds } from '../custom-fields/custom-fields.ts'
import type { Db } from '../db/database.ts'
import { isOneOf } from '../db/dialect.ts'
import type { QueryValue } from '../http/bracket-query.ts'
import { type Access, accessCondition, type RecordRight } from './access.ts'
import type { EntityType } from './entity-types.ts'
import { type Filters, readFilters } from './filters.ts'
import { nameKey } from './orders.ts'
import { recordsWithWord } from './queries.ts'
import { searchedWords } from './search.ts'
import { customersInSegments } from './segment-queries.ts'
import { taggedRecords } from './tag-queries.ts'

export interface ListQuery {
  filter?: QueryValue
  order?: QueryValue
  query?: QueryValue
}

/** Selects the records of a list, its totals or its export. */
export interface RecordFilter {
  filters: Filters
  words: string[]
}

export interface Within {
  /** The list, for elements. */
  catalog_id?: number | undefined
  /** Selects records in the trash instead of those outside it. */
  in_trash: boolean
  /** Rights that the reader needs on each record; by default `view`. */
  rights?: readonly RecordRight[]
}

/**
 * Parses a query. Returns null if its search text has no words: the result must then be empty instead of
 * everything.
 */
export function readRecordFilter(
  type: EntityType,
  { filter, query }: ListQuery,
  fields: FieldSet,
): RecordFilter | null {
  const filters = readFilters(type, filter, fields)
  const words = typeof query === 'string' ? searchedWords(query) : []
  return words.length === 0 && typeof query === 'string' && query !== '' ? null : { filters, words }
}

/** Kinds with records that no list shows until an incoming lead is accepted. */
const hidden: readonly EntityType[] = ['contacts', 'companies']

/** The conditions on rows of `entities` of one kind. */
export function conditionsOf(
  db: Db,
  access: Access,
  type: EntityType,
  { filters, words }: RecordFilter,
  { catalog_id, in_trash, rights = ['view'] }: Within,
): Expression<SqlBool>[] {
  const { account_id } = access.actor
  const column = (name: string) => sql.ref(`entities.${name}`)
  return [
    sql<SqlBool>`${column('is_deleted')} = ${sql.lit(in_trash ? 1 : 0)}`,
    ...(in_trash ? [sql<SqlBool>`${column('merged_into')} is null`] : []),
    // The people of incoming leads (I2). A list by ids shows them, as their cards do.
    ...(hidden.includes(type) && !filters.values.some(({ column }) => column === 'id')
      ? [sql<SqlBool>`${column('is_unsorted')} = ${sql.lit(0)}`]
      : []),
    ...(catalog_id === undefined ? [] : [sql<SqlBool>`${column('catalog_id')} = ${catalog_id}`]),
    ...rights.flatMap((right) => accessCondition(access, right, type) ?? []),
    ...filters.values.map(({ column: name, values }) => isAnyOf(db, column(name), values)),
    // Names have an index of their sort keys only.
    ...filters.values
      .filter(({ column: name }) => name === 'name')
      .map(({ values }) => isAnyOf(db, column('name_key'), sortKeysOf(values))),
    ...filters.ranges.flatMap(({ column: name, from, to }) => [
      ...(from === null ? [] : [sql<SqlBool>`${column(name)} >= ${from}`]),
      ...(to === null ? [] : [sql<SqlBool>`${column(name)} <= ${to}`]),
    ]),
    ...(filters.statuses.length > 0 ? [inStages(filters.statuses)] : []),
    ...(filters.tags.length > 0 ? [inQuery(taggedRecords(db, account_id, filters.tags))] : []),
    ...(filters.segments.length > 0 ? [inQuery(customersInSegments(db, account_id, filters.segments))] : []),
    ...filters.fields.map((field) => inQuery(filteredIds(db, account_id, field))),
    ...words.map((word) => inQuery(recordsWithWord(db, account_id, type, word))),
  ]
}

/**
 * Up to this many values are written out for the planner. A single value becomes an equality, for which an index
 * keeps the order of ids.
 */
const FEW = 10

function isAnyOf(db: Db, column: Expression<unknown>, values: (number | string)[]): Expression<SqlBool> {
  if (values.length === 1) return sql<SqlBool>`${column} = ${values[0]}`
  return values.length <= FEW && values.length > 0
    ? sql<SqlBool>`${column} in (${sql.join(values)})`
    : isOneOf(db, column, values)
}

const sortKeysOf = (names: (number | string)[]): string[] => [
  ...new Set(names.map((name) => nameKey(String(name)))),
]

const inQuery = (ids: Expression<unknown>): Expression<SqlBool> => sql<SqlBool>`entities.id in ${ids}`

const inStages = (stages: Filters['statuses']): Expression<SqlBool> =>
  sql<SqlBool>`(${sql.join(
    stages.map(
      ({ pipeline_id, status_id }) =>
        sql`(entities.pipeline_id = ${pipeline_id} and entities.status_id = ${status_id})`,
    ),
    sql` or `,
  )})`
