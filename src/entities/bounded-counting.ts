import { type Expression, type SqlBool, sql } from 'kysely'
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
import { type CountedNarrowing, countEntries } from './narrowing-counts.ts'
import { isInTotals, type Narrowing, narrowingsOf } from './narrowings.ts'
import { idsOfKind, isAmongBoth, isAmongFirst } from './total-queries.ts'

/** The conditions on the records that are counted, and whether all records that match fulfil them. */
export interface Counting {
  conditions: Expression<SqlBool>[]
  is_complete: boolean
}

/**
 * Chooses which records are counted, and how they are found. Either the index of totals has all columns, or the records of the
 * rarest condition are read, at most `most`, and the others are checked.
 */
export async function chooseCounting(
  db: Db,
  access: Access,
  type: EntityType,
  asked: RecordFilter,
  place: Within,
  most: number,
): Promise<Counting> {
  const isByIds = asked.filters.values.some(({ column }) => column === 'id')
  if (isByIds) return { conditions: conditionsOf(db, access, type, asked, place), is_complete: true }
  const { account_id } = access.actor
  const { filter, within } = withCoveredPeople(access, type, asked, place)
  const narrowings = narrowingsOf(db, account_id, type, filter, within)
  const others = otherConditions(db, access, type, filter, within)
  const isTotalled =
    type !== 'catalog_elements' &&
    isInTotals(filter.filters) &&
    narrowings.every(({ ofTotals }) => ofTotals !== undefined)
  if (isTotalled && narrowings.length === 0) return { conditions: others, is_complete: true }

  const all: Narrowing = {
    entries: idsOfKind(db, account_id, type, within.catalog_id),
    byIndex: sql<SqlBool>`1 = 1`,
    byRow: null,
    orders: [],
  }
  const counted = await countEntries(db, narrowings.length > 0 ? narrowings : [all], most)
  const [first, ...rest] = counted as [CountedNarrowing, ...CountedNarrowing[]]
  const is_complete = first.count <= most
  if (isTotalled && !is_complete) {
    const conditions = narrowings.flatMap(({ ofTotals }) => ofTotals ?? [])
    return { conditions: [...others, ...conditions], is_complete: true }
  }
  const found = first.narrowing
  const conditions = [
    ...others,
    is_complete ? (found.byFew ?? found.byIndex) : isAmongFirst(db, found.entries, most),
    ...rest.map(({ narrowing, count }) => {
      if (narrowing.byRow) return narrowing.byRow
      if (count <= most) return narrowing.bySet?.(most) ?? narrowing.byIndex
      return isAmongBoth(db, found.entries, most, narrowing.entries)
    }),
  ]
  return { conditions, is_complete }
}
