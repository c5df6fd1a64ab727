import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import {
  type FieldFilter,
  type FieldSet,
  filteredIds,
  hasKey,
  matchesFilter,
  parseStored,
  type StoredValues,
} from '../../custom-fields/custom-fields.ts'
import type { Db } from '../../db/database.ts'
import { isInSet, isOneOf, isOneOfFew, withoutIndex } from '../../db/dialect.ts'
import type { EntityRow } from '../../db/tables.ts'
import type { EntityType } from '../records/entity-types.ts'
import type { ListedEntity } from '../records/listed-columns.ts'
import { customersInSegments, isInSegments } from '../records/membership-queries.ts'
import { nameKey, type Order } from '../records/orders.ts'
import { recordsWithWord } from '../records/queries.ts'
import { wordsOf } from '../records/search.ts'
import { isTagged, taggedRecords } from '../tags/tag-queries.ts'
import type { Filters } from './filters.ts'
import { firstRecordsWith, type OfColumns, recordsWith } from './narrowing-queries.ts'
import type { RecordFilter, RecordList } from './record-list.ts'
import { firstWords, hasOneOfWords } from './search-queries.ts'

type Column = Order['column']
type Condition = Expression<SqlBool>

/**
 * A part of a filter that has an index of its own. The condition has several forms: one that reads this index, and others
 * for records that are found by other means.
 */
export interface Narrowing {
  /** The ids of the records that match, from the index alone; a record can occur several times. */
  entries: Expression<unknown>
  byIndex: Condition
  /** The first records of the index, if it is one of records. */
  firstRecords?: (most: number) => RawBuilder<EntityRow>
  /** Reads the entries first, if they are few. */
  byFew?: Condition
  /** Looks up each row; null if that reads many entries of the index for a row. */
  byRow: Condition | null
  /** Reads all entries for a statement, and looks up each row among them. `most` is as for isInSet. */
  bySet?: (most: number | null) => Condition
  /** The condition, if the index of totals (indexed-total-queries.ts) has its columns, and whether these are those of stages. */
  ofTotals?: { condition: OfColumns; isOfStages: boolean }
  /** Looks up each row, if the prefix of this narrowing is that of few different words; otherwise null. */
  byFewWords?: () => Promise<Condition | null>
  /** Compares a row after it is read. */
  inMemory?: (row: ListedEntity, fields: FieldSet) => boolean
  /** Orders of a list that the index has as well, so that it can be scanned for a page. */
  orders: readonly Column[]
}

/** Indexed columns, and the orders of their index below a single value. */
const indexed: Partial<Record<keyof EntityRow, readonly Column[]>> = {
  responsible_user_id: ['id', 'updated_at'],
  pipeline_id: [],
  created_by_integration: ['id'],
  name: ['id', 'name_key'],
  price: ['id'],
  next_price: ['id'],
}

/** The first columns of the index of totals. Prices follow, so a range of prices would read all entries. */
const totalled: readonly string[] = ['is_deleted', 'pipeline_id', 'status_id', 'responsible_user_id']
const ofStages: readonly string[] = ['pipeline_id', 'status_id']

/** The parts of a filter that have an index. */
export function narrowingsOf(
  { db, access, type, in_trash }: RecordList,
  { filters, words }: RecordFilter,
): Narrowing[] {
  const { account_id } = access.actor
  const { values, ranges, statuses, tags, segments, fields } = filters
  const ofColumns = (condition: OfColumns, orders: readonly Column[], names: string[] = []): Narrowing => {
    const byIndex = condition((name) => sql.ref(`entities.${name}`))
    const byRow = condition((name) => withoutIndex(db, sql.ref(`entities.${name}`)))
    const isTotalled = names.length > 0 && names.every((name) => totalled.includes(name))
    const isOfStages = names.every((name) => ofStages.includes(name))
    return {
      entries: recordsWith(db, account_id, type, condition),
      byIndex,
      firstRecords: (most) => firstRecordsWith(account_id, type, condition, most),
      byRow,
      ...(isTotalled && { ofTotals: { condition, isOfStages } }),
      orders,
    }
  }
  return [
    ...(in_trash ? [ofColumns(isDeleted, ['updated_at'], ['is_deleted'])] : []),
    ...values.flatMap(({ column, values: some }) => {
      const orders = indexed[column]
      return orders ? [ofColumns(isAnyOf(db, column, some), some?.length === 1 ? orders : [], [column])] : []
    }),
    ...ranges.map(({ column, from, to }) =>
      ofColumns(isWithin(column, from, to), [column as Column], [column]),
    ),
    ...(statuses.length > 0
      ? [
          ofColumns(isInStages(statuses), statuses.length === 1 ? ['id', 'updated_at'] : [], [
            'pipeline_id',
            'status_id',
          ]),
        ]
      : []),
    ...(tags.length > 0
      ? [
          listed(
            db,
            taggedRecords(db, account_id, type, tags),
            isTagged(db, account_id, type, tags),
            tags.length === 1,
          ),
        ]
      : []),
    ...(segments.length > 0
      ? [
          listed(
            db,
            customersInSegments(db, account_id, segments),
            isInSegments(db, account_id, segments),
            false,
          ),
        ]
      : []),
    ...fields.map((filter) => ofField(db, account_id, filter)),
    ...words.map((word) => ofWord(db, account_id, type, word)),
  ]
}

function ofField(db: Db, account_id: number, filter: FieldFilter): Narrowing {
  const found = filteredIds(db, account_id, filter)
  if (isSeekable(filter))
    return listed(db, found, hasKey(db, account_id, filter, 'entities.id'), filter.keys?.length === 1)
  return {
    ...listed(db, found, null, false),
    inMemory: (row, fields) => matchesFilter(fields, valuesOf(row), filter),
  }
}

const ofWord = (db: Db, account_id: number, type: EntityType, word: string): Narrowing => ({
  ...listed(db, recordsWithWord(db, account_id, type, word), null, false),
  byFewWords: async () => {
    const some = await firstWords(db, account_id, type, word, FEW + 1)
    // The records that were counted can be gone by now; PostgreSQL refuses an empty list.
    return some.length > 0 && some.length <= FEW ? hasOneOfWords(db, account_id, type, some) : null
  },
  inMemory: (row, fields) =>
    wordsOf(row.name, fields, valuesOf(row))
      .values()
      .some((one) => one.startsWith(word)),
})

/** Whether the index of totals has all columns of a filter that have no index of their own. */
export const isInTotals = ({ values }: Filters): boolean =>
  values.every(({ column }) => indexed[column] !== undefined || totalled.includes(column))

/** The conditions on columns without an index. */
export const plainConditions = (db: Db, { values }: Filters): Condition[] =>
  values
    .filter(({ column }) => !indexed[column])
    .map(({ column, values: some }) => isAnyOf(db, column, some)((name) => sql.ref(`entities.${name}`)))

/** Whether the entries of a filter are looked up for a record by the complete key. */
const isSeekable = ({ keys, from, to }: FieldFilter): boolean =>
  keys !== null && keys.length <= FEW && from === null && to === null

const isDeleted: OfColumns = (column) => sql<SqlBool>`${column('is_deleted')} = ${sql.lit(1)}`

const valuesOf = ({ field_values }: ListedEntity): StoredValues => parseStored(field_values)

const listed = (
  db: Db,
  ids: Expression<unknown>,
  byRow: Condition | null,
  inOrderOfIds: boolean,
): Narrowing => ({
  entries: ids,
  byIndex: sql<SqlBool>`entities.id in ${ids}`,
  byFew: isOneOfFew(db, sql.ref('entities.id'), ids),
  byRow,
  bySet: (most) => isInSet(db, sql.ref('entities.id'), ids, most),
  orders: inOrderOfIds ? ['id'] : [],
})

/**
 * Up to this many values are written out for the planner. A single value becomes an equality, for which an index
 * keeps the order of ids.
 */
const FEW = 10

function isAnyOf(db: Db, name: string, values: (number | string)[] | null): OfColumns {
  if (values === null) return (column) => sql<SqlBool>`${column(name)} is null`
  const within = (column: Expression<unknown>, some: (number | string)[]): Condition => {
    if (some.length === 1) return sql<SqlBool>`${column} = ${some[0]}`
    return some.length <= FEW && some.length > 0
      ? sql<SqlBool>`${column} in (${sql.join(some)})`
      : isOneOf(db, column, some)
  }
  if (name !== 'name') return (column) => within(column(name), values)
  // Names have an index of their sort keys only.
  const keys = [...new Set(values.map((value) => nameKey(String(value))))]
  return (column) => sql<SqlBool>`(${within(column('name_key'), keys)} and ${within(column('name'), values)})`
}

const isWithin =
  (name: string, from: number | null, to: number | null): OfColumns =>
  (column) => {
    const ends = [
      ...(from === null ? [] : [sql`${column(name)} >= ${from}`]),
      ...(to === null ? [] : [sql`${column(name)} <= ${to}`]),
    ]
    return ends.length > 0 ? sql<SqlBool>`${sql.join(ends, sql` and `)}` : sql<SqlBool>`1 = 1`
  }

const isInStages =
  (stages: Filters['statuses']): OfColumns =>
  (column) =>
    sql<SqlBool>`(${sql.join(
      stages.map(
        ({ pipeline_id, status_id }) =>
          sql`(${column('pipeline_id')} = ${pipeline_id} and ${column('status_id')} = ${status_id})`,
      ),
      sql` or `,
    )})`
