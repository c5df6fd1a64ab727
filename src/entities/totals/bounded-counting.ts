import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import { readInBackground } from '../../db/background-reads.ts'
import type { Db } from '../../db/database.ts'
import type { EntityRow } from '../../db/tables.ts'
import { conditionsOf, otherConditions, withCoveredPeople } from '../lists/conditions.ts'
import { type CountedNarrowing, countEntries, withLookUps } from '../lists/narrowing-counts.ts'
import { isInTotals, type Narrowing, narrowingsOf } from '../lists/narrowings.ts'
import type { RecordFilter, RecordList } from '../lists/record-list.ts'
import type { EntityType } from '../records/entity-types.ts'
import { type Counted, countByIndex } from './indexed-totals.ts'
import { idsOfKind, isAmongBoth, isAmongFirst, sumsByStage } from './total-queries.ts'

/** The most records that are counted. With a million records, totals then take no longer than a page. */
export interface CountLimits {
  /** Without a filter, or with one by people and stages: the index of totals has what is counted. */
  indexed: number
  /** With other filters: the records of their rarest condition, which are read. */
  read: number
}

export const countLimits: CountLimits = { indexed: 100_000, read: 10_000 }

/** Counts the records that match, and sums them up. */
export async function countRecords(
  asked: RecordList,
  filterOfQuery: RecordFilter,
  limits: CountLimits,
): Promise<Counted> {
  const { db, access, type, in_trash, catalog_id } = asked
  const { account_id } = access.actor
  const isByIds = filterOfQuery.filters.values.some(({ column }) => column === 'id')
  const { list, filter } = isByIds
    ? { list: asked, filter: filterOfQuery }
    : withCoveredPeople(asked, filterOfQuery)
  const narrowings = narrowingsOf(list, filter)
  const indexed = narrowings.flatMap(({ ofTotals }) => ofTotals ?? [])
  const isIndexed =
    type !== 'catalog_elements' && isInTotals(filter.filters) && indexed.length === narrowings.length
  if (isIndexed) {
    const conditions = indexed.filter(({ isOfStages }) => !isOfStages).map(({ condition }) => condition)
    const records = {
      account_id,
      type,
      in_trash,
      conditions: [
        ...otherConditions(list, filter),
        ...conditions.map((one) => one((name) => sql.ref(`entities.${name}`))),
      ],
      ofStages: indexed.filter(({ isOfStages }) => isOfStages).map(({ condition }) => condition),
    }
    return countByIndex(db, records, limits.indexed)
  }
  if (isByIds) return sumRecords(db, account_id, type, { conditions: conditionsOf(list, filter) })
  // Each further condition is looked up for each record.
  const most = Math.ceil(limits.read / Math.max(1, narrowings.length))
  const all = allRecords(db, account_id, type, catalog_id)
  // Counted further, because the rarest of several common ones leaves most.
  const counted = await countEntries(
    db,
    narrowings.length > 0 ? narrowings : [all],
    narrowings.length > 1 ? FURTHER * most : most,
  )
  const others = otherConditions(list, filter)
  const read = chooseRead(db, rarestFirst(await withLookUps(counted)), others, most)
  return sumRecords(db, account_id, type, read)
}

const FURTHER = 10

/** Of conditions that are all common, one that cannot be looked up for a record comes first. */
const rarestFirst = (counted: CountedNarrowing[]): CountedNarrowing[] =>
  counted.toSorted((a, b) =>
    a.count === b.count
      ? Number(a.narrowing.byRow !== null) - Number(b.narrowing.byRow !== null)
      : a.count - b.count,
  )

/** The records that are read and summed up. */
interface Read {
  conditions: Expression<SqlBool>[]
  records?: RawBuilder<EntityRow> | undefined
  is_complete?: boolean
}

async function sumRecords(
  db: Db,
  account_id: number,
  type: EntityType,
  { conditions, records, is_complete = true }: Read,
): Promise<Counted> {
  const rows = await readInBackground(db, account_id, sumsByStage(db, account_id, type, conditions, records))
  return { stages: rows.map((row) => ({ ...row, is_complete })), is_complete, at_least: 0 }
}

const allRecords = (
  db: Db,
  account_id: number,
  type: EntityType,
  catalog_id: number | undefined,
): Narrowing => ({
  entries: idsOfKind(db, account_id, type, catalog_id),
  byIndex: sql<SqlBool>`1 = 1`,
  byRow: null,
  orders: [],
})

/** The records of the rarest condition are read, at most `most`, and the others are checked. */
function chooseRead(
  db: Db,
  [first, ...rest]: CountedNarrowing[],
  others: Expression<SqlBool>[],
  most: number,
): Read {
  const { narrowing: found, count } = first as CountedNarrowing
  const is_complete = count <= most
  const records = is_complete ? undefined : found.firstRecords?.(most)
  const amongFirst = is_complete ? (found.byFew ?? found.byIndex) : isAmongFirst(db, found.entries, most)
  const conditions = [
    ...others,
    ...(records ? [] : [amongFirst]),
    ...rest.map(({ narrowing, count }) => {
      if (narrowing.byRow) return narrowing.byRow
      if (count <= most) return narrowing.bySet?.(most) ?? narrowing.byIndex
      return isAmongBoth(db, found.entries, most, narrowing.entries)
    }),
  ]
  return { conditions, records, is_complete }
}
