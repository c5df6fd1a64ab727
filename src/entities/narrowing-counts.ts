import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import type { Narrowing } from './narrowings.ts'

/** A part of a filter, and the number of its entries in its index, at most one more than were counted. */
export interface CountedNarrowing {
  narrowing: Narrowing
  count: number
}

/** Counts the entries of each part of a filter up to a limit, fewest first. One statement for all. */
export async function countEntries(
  db: Db,
  narrowings: readonly Narrowing[],
  most: number,
): Promise<CountedNarrowing[]> {
  if (narrowings.length === 0) return []
  const counts = narrowings.map(
    ({ entries }, i) =>
      sql`(select count(*) from (select 1 as one from (${entries}) as entries limit ${most + 1}) as counted) as ${sql.ref(`count_${i}`)}`,
  )
  const { rows } = await sql<Record<string, number>>`select ${sql.join(counts)}`.execute(db)
  return narrowings
    .map((narrowing, i) => ({ narrowing, count: Number(rows[0]?.[`count_${i}`]) }))
    .sort((a, b) => a.count - b.count)
}
