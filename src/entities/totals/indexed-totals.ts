import { readInBackground } from '../../db/background-reads.ts'
import type { Db } from '../../db/database.ts'
import {
  countIndexed,
  countStages,
  type IndexedRecords,
  isByStage,
  sumIndexed,
  sumSomeOfStages,
} from './indexed-total-queries.ts'
import type { StageSums } from './total-queries.ts'

/** The result of a count. */
export interface Counted {
  /** The number and the sum of the records of each stage. */
  stages: (StageSums & { is_complete: boolean })[]
  is_complete: boolean
  /** So many records match, although the stages contain less. */
  at_least: number
}

/**
 * Counts records by the index of totals, and sums them up. If they are too many, those of each stage are counted up to a round
 * number, so that small stages are exact.
 */
export async function countByIndex(db: Db, records: IndexedRecords, most: number): Promise<Counted> {
  const { account_id } = records
  const [counted] = await readInBackground(db, account_id, countIndexed(db, records, most + 1))
  if (Number(counted?.count) <= most) {
    const rows = await readInBackground(db, account_id, sumIndexed(db, records))
    return { stages: rows.map((row) => ({ ...row, is_complete: true })), is_complete: true, at_least: 0 }
  }
  if (!isByStage(records)) return { stages: [], is_complete: false, at_least: most }
  const { count } = await countStages(db, records).executeTakeFirstOrThrow()
  const each = roundDown(most / Math.max(1, Number(count)))
  const rows = await readInBackground(db, account_id, sumSomeOfStages(db, records, each + 1))
  const stages = rows.map((row) => ({
    ...row,
    total: Math.min(Number(row.total), each),
    is_complete: Number(row.total) <= each,
  }))
  return { stages, is_complete: false, at_least: most }
}

/** The largest of 1, 2, 5, 10, 20, 50 and so on that is not above a number. */
function roundDown(number: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(number, 1)))
  return power * ([5, 2].find((one) => one * power <= number) ?? 1)
}
