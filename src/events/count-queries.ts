import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { tableOf } from '../db/dialect.ts'
import type { Bucket } from './buckets.ts'
import { all, type IndexRange, idAt } from './list-queries.ts'

export interface Ranges {
  ranges: IndexRange[]
  /** What is scanned at in each row; empty when the index alone tells. */
  residual: Expression<SqlBool>[]
}

export interface Counted {
  /** Rows that were walked: the limit, when there may be more. */
  scanned: number
  count: number
}

/** Two numbers in one: a subquery has one column. Both databases keep it whole up to nine million rows scanned at. */
const PACK = 1_000_000_000

/** How many events each of the buckets holds, in their order; of each range in each bucket no more than `most` rows are walked. */
export async function countBuckets(
  db: Db,
  ranges: Ranges,
  buckets: readonly Bucket[],
  most: number,
): Promise<Counted[]> {
  // The ids of a time begin with it, in ten letters.
  const spans = buckets.map(({ at, end }) => idAt(at * 1000) + idAt(end * 1000))
  const { rows } = await countsOf(db, ranges, spans, most).execute(db)
  const found = new Map(rows.map(({ span, sum }) => [span, Number(sum)]))
  return spans.map((span) => {
    const sum = found.get(span) ?? 0
    return { scanned: Math.floor(sum / PACK), count: sum % PACK }
  })
}

/** A row for each span, which is the ids that it is between. */
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
