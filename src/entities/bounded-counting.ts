import { type Expression, type SqlBool, sql } from 'kysely'
import { readInBackground } from '../db/background-reads.ts'
import type { Db } from '../db/database.ts'
import type { Access } from './access.ts'
import {
  conditionsOf,
  otherConditions,
  type RecordFilter,
  type Within,
  withCoveredPeople,
} from './conditions.ts'
import type { EntityType } from './entity-types.ts'
import { type Counted, countByIndex } from './indexed-totals.ts'
import { type CountedNarrowing, countEntries, withLookUps } from './narrowing-counts.ts'
import { isInTotals, type Narrowing, narrowingsOf } from './narrowings.ts'
import { idsOfKind, isAmongBoth, isAmongFirst, sumsByStage } from './total-queries.ts'

/** The most records that are counted. With a million records, totals then take no longer than a page. */
export interface CountLimits {
  /** Without a filter, or with one by people and stages: the index of totals has what is counted. */
  indexed: number
  /** With other filters: the records of their rarest condition, which are read. */
  read: number
}

export const countLimits: CountLimits = { indexed: 300_000, read: 20_000 }

/** Counts the records that match, and sums them up. */
export async function countRecords(
  db: Db,
  access: Access,
  type: EntityType,
  asked: RecordFilter,
  place: Within,
  limits: CountLimits,
): Promise<Counted> {
  const { account_id } = access.actor
  const isByIds = asked.filters.values.some(({ column }) => column === 'id')
  const { filter, within } = isByIds
    ? { filter: asked, within: place }
    : withCoveredPeople(access, type, asked, place)
  const narrowings = narrowingsOf(db, account_id, type, filter, within)
  const indexed = narrowings.flatMap(({ ofTotals }) => ofTotals ?? [])
  const isIndexed =
    type !== 'catalog_elements' && isInTotals(filter.filters) && indexed.length === narrowings.length
  if (isIndexed) {
    const conditions = indexed.filter(({ isOfStages }) => !isOfStages).map(({ condition }) => condition)
    const records = {
      account_id,
      type,
      in_trash: within.in_trash,
      conditions: [
        ...otherConditions(db, access, type, filter, within),
        ...conditions.map((one) => one((name) => sql.ref(`entities.${name}`))),
      ],
      ofStages: indexed.filter(({ isOfStages }) => isOfStages).map(({ condition }) => condition),
    }
    return countByIndex(db, records, limits.indexed)
  }
  const { conditions, is_complete } = isByIds
    ? { conditions: conditionsOf(db, access, type, filter, within), is_complete: true }
    : await chooseCounting(db, access, type, filter, within, narrowings, limits.read)
  const rows = await readInBackground(db, account_id, sumsByStage(db, account_id, type, conditions))
  return { stages: rows.map((row) => ({ ...row, is_complete })), is_complete, at_least: 0 }
}

/**
 * Chooses which records are counted, and how they are found: the records of the rarest condition are read, at most `most`, and
 * the others are checked.
 */
async function chooseCounting(
  db: Db,
  access: Access,
  type: EntityType,
  filter: RecordFilter,
  within: Within,
  narrowings: Narrowing[],
  most: number,
): Promise<{ conditions: Expression<SqlBool>[]; is_complete: boolean }> {
  const all: Narrowing = {
    entries: idsOfKind(db, access.actor.account_id, type, within.catalog_id),
    byIndex: sql<SqlBool>`1 = 1`,
    byRow: null,
    orders: [],
  }
  // Counted further, because the rarest of several common ones leaves most.
  const counted = await withLookUps(
    await countEntries(
      db,
      narrowings.length > 0 ? narrowings : [all],
      narrowings.length > 1 ? 5 * most : most,
    ),
  )
  const [first, ...rest] = counted as [CountedNarrowing, ...CountedNarrowing[]]
  const is_complete = first.count <= most
  const found = first.narrowing
  const conditions = [
    ...otherConditions(db, access, type, filter, within),
    is_complete ? (found.byFew ?? found.byIndex) : isAmongFirst(db, found.entries, most),
    ...rest.map(({ narrowing, count }) => {
      if (narrowing.byRow) return narrowing.byRow
      if (count <= most) return narrowing.bySet?.(most) ?? narrowing.byIndex
      return isAmongBoth(db, found.entries, most, narrowing.entries)
    }),
  ]
  return { conditions, is_complete }
}
