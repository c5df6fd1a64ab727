import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { IdSet, readIds } from './id-sets.ts'
import type { Narrowing } from './narrowings.ts'
import { scanLimits } from './scan-limits.ts'

/** A part of a filter, and the number of its entries in its index; infinite above what was counted. */
export interface CountedNarrowing {
  narrowing: Narrowing
  count: number
}

/** Entries that one statement counts, which takes 15 ms. A query can have forty parts. */
const BUDGET = 500_000

/** Counts the entries of each part of a filter up to a limit, fewest first. One statement for all. */
export async function countEntries(
  db: Db,
  narrowings: readonly Narrowing[],
  most: number,
): Promise<CountedNarrowing[]> {
  if (narrowings.length === 0) return []
  const limit = Math.min(most, Math.floor(BUDGET / narrowings.length))
  const counts = narrowings.map(
    ({ entries }, i) =>
      sql`(select count(*) from (select 1 as one from (${entries}) as entries limit ${limit + 1}) as counted) as ${sql.ref(`count_${i}`)}`,
  )
  const { rows } = await sql<Record<string, number>>`select ${sql.join(counts)}`.execute(db)
  const countOf = (i: number) => {
    const count = Number(rows[0]?.[`count_${i}`])
    return count <= limit ? count : Number.POSITIVE_INFINITY
  }
  return narrowings
    .map((narrowing, i) => ({ narrowing, count: countOf(i) }))
    .sort((a, b) => (a.count === b.count ? 0 : a.count - b.count))
}

/**
 * Makes rows be looked up for words that too many records have, if they can be: most often, a common prefix is that of a
 * single word.
 */
export const withLookUps = (counted: readonly CountedNarrowing[]): Promise<CountedNarrowing[]> =>
  Promise.all(
    counted.map(async ({ narrowing, count }) =>
      count === Number.POSITIVE_INFINITY && narrowing.byFewWords
        ? { narrowing: { ...narrowing, byRow: await narrowing.byFewWords() }, count }
        : { narrowing, count },
    ),
  )

/** The ids of the entries of a part. */
export const idsOf = (
  db: Db,
  account_id: number,
  { narrowing, count }: CountedNarrowing,
): Promise<number[]> =>
  readIds(db, account_id, narrowing.entries, { inBackground: count > scanLimits.listed })

/** The same of each part, as sets. */
export const setsOf = (db: Db, account_id: number, some: readonly CountedNarrowing[]): Promise<IdSet[]> =>
  Promise.all(some.map(async (one) => new IdSet(await idsOf(db, account_id, one))))
