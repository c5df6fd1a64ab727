import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import type { Narrowing } from './narrowings.ts'

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
