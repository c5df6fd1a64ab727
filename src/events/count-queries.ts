import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { tableOf } from '../db/dialect.ts'
import type { Bucket } from './buckets.ts'
import { idAt } from './list-queries.ts'
import { all, type IndexRange } from './scans/ranges.ts'

export interface Ranges {
  ranges: IndexRange[]
  /** Conditions that each row is checked against; empty when the index is enough. */
  residual: Expression<SqlBool>[]
}

export interface Counted {
  /** Rows that were scanned. If this equals the limit, there may be more. */
  scanned: number
  count: number
}

/**
 * Packs two numbers into one, because a subquery has one column. Exact on both databases up to nine million scanned
 * rows.
 */
const PACK = 1_000_000_000

/** Counts the events in each bucket, in the order of the buckets. Scans at most `most` rows per range and bucket. */
export async function countBuckets(
  db: Db,
  ranges: Ranges,
  buckets: readonly Bucket[],
  most: number,
): Promise<Counted[]> {
  // An id begins with its time, in ten characters.
  const spans = buckets.map(({ at, end }) => idAt(at * 1000) + idAt(end * 1000))
  const { rows } = await countsOf(db, ranges, spans, most).execute(db)
  const found = new Map(rows.map(({ span, sum }) => [span, Number(sum)]))
  return spans.map((span) => {
    const sum = found.get(span) ?? 0
    return { scanned: Math.floor(sum / PACK), count: sum % PACK }
  })
}

/** One row per span. A span is the first id and the end id, concatenated. */
export function countsOf(
  db: Db,
  { ranges, residual }: Ranges,
  spans: string[],
  most: number,
): RawBuilder<{ span: string; sum: number | string }> {
  const sums = ranges.map((range) => packed(range, residual, most))
  return sql`select slot.value as span, ${sql.join(sums, sql` + `)} as sum
    from ${tableOf(db, spans, 'text')} as slot`
}

function packed({ from, id, conditions }: IndexRange, residual: Expression<SqlBool>[], most: number) {
  const within = sql<SqlBool>`${id} >= substr(slot.value, 1, 10) and ${id} < substr(slot.value, 11, 10)`
  const rows = sql`from ${from} where ${all([...conditions, within])} limit ${most}`
  if (residual.length === 0) return sql`(select count(*) * ${PACK + 1} from (select 1 ${rows}) as events)`
  const counted = sql`coalesce(sum(case when ${all(residual)} then 1 else 0 end), 0)`
  return sql`(select count(*) * ${PACK} + ${counted} from (select events.* ${rows}) as events)`
}
