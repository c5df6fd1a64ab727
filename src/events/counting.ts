import { setImmediate } from 'node:timers/promises'
import type { Expression, SqlBool } from 'kysely'
import type { Db } from '../db/database.ts'
import { type Bucket, bucketsOf, type Size } from './buckets.ts'
import { type Counted, countBuckets, type Ranges } from './count-queries.ts'
import type { EventFilter } from './filters.ts'
import { rangesOf, rangesOfLog, type Scan } from './list-queries.ts'
import { type Reader, visibleWithin } from './reading.ts'

/**
 * Counts the log by day or hour, for a chart, with the filters and rights of the list. The newest buckets are counted
 * first, several per statement where they are small, until the answer has used its work budget. The remaining buckets
 * are left out, and `complete_from` says where the complete part begins.
 */
export interface Counts {
  counts: { at: number; count: number }[]
  complete_from: number | null
}

export interface Asked {
  filter: EventFilter
  by: Size
  time_zone: string
}

/** Days in a chart without a range, including today. For a chart by hour, 24 times as many buckets. */
const DAYS = 60
/** Buckets in one answer. */
const MAX_BUCKETS = 1_500
/** Rows that one answer scans: in the index alone, or with a check of each row. */
const MAX_SCANNED = 1_000_000
const MAX_CHECKED = 200_000
/** Rows that one statement should scan. SQLite runs nothing else meanwhile. */
const CHUNK = 50_000
const CHUNK_CHECKED = 20_000
const MAX_BATCH = 200
/** A filter of several values scans one range per value. With more ranges than this, rows are checked instead. */
const MAX_RANGES = 12

/** Counts events per bucket, oldest bucket first. */
export async function countEvents(
  db: Db,
  reader: Reader,
  { filter, by, time_zone }: Asked,
  now: number,
): Promise<Counts> {
  const { from, to } = filter.created_at
  const until = to === null ? now : Math.min(to, now)
  const most = from === null ? DAYS * (by === 'day' ? 1 : 24) : MAX_BUCKETS
  const range = { from: Math.max(from ?? 0, 0), to: until }
  const buckets = [...bucketsOf(by, time_zone, range, most)]
  const readable = await visibleWithin(reader, { ...filter, created_at: { from: null, to: null } })
  const counts = readable
    ? await countAll(db, workOf(db, readable), within(buckets, range.from))
    : buckets.map(() => 0)
  const oldest = buckets[counts.length - 1]
  const isWhole = counts.length === buckets.length && (from === null || !oldest || oldest.at <= from)
  return {
    counts: counts.map((count, i) => ({ at: (buckets[i] as Bucket).at, count })).reverse(),
    complete_from: isWhole ? null : (oldest?.at ?? until + 1),
  }
}

/** Clips the oldest bucket to the requested range. */
const within = (buckets: Bucket[], from: number): Bucket[] =>
  buckets.map(({ at, end }) => ({ at: Math.max(at, from), end }))

interface Work {
  ranges: Ranges
  /** Rows that may be scanned in total. */
  budget: number
  /** Rows that may be scanned per statement. */
  chunk: number
  /** Index seeks per bucket, even if it is empty. A seek costs about as much as a row. */
  seeks: number
}

function workOf(db: Db, { scan, visible }: { scan: Scan; visible: Expression<SqlBool> | null }): Work {
  const narrow = rangesOf(db, scan)
  const { ranges, residual } = narrow.ranges.length > MAX_RANGES ? rangesOfLog(db, scan) : narrow
  const conditions = [...residual, ...(visible ? [visible] : [])]
  const ids = scan.subjects?.map(({ ids }) => ids?.length ?? 0) ?? []
  return {
    ranges: { ranges, residual: conditions },
    ...(conditions.length > 0
      ? { budget: MAX_CHECKED, chunk: CHUNK_CHECKED }
      : { budget: MAX_SCANNED, chunk: CHUNK }),
    seeks: ids.reduce((sum, count) => sum + count, ranges.length),
  }
}

/** Counts the newest buckets until the budget is used. */
async function countAll(
  db: Db,
  { ranges, budget, chunk, seeks }: Work,
  buckets: Bucket[],
): Promise<number[]> {
  const counts: number[] = []
  let left = budget
  let batch = 1
  while (counts.length < buckets.length && left > 0) {
    const some = buckets.slice(counts.length, counts.length + batch)
    const most = batch === 1 ? left : Math.ceil(chunk / batch)
    const found = await countBuckets(db, ranges, some, most)
    // A bucket whose scan hit the limit is incomplete.
    const isWhole = ({ scanned }: Counted) => scanned < most
    const whole = found.findIndex((one) => !isWhole(one))
    const done = whole < 0 ? found : found.slice(0, whole)
    counts.push(...done.map(({ count }) => count))
    if (whole >= 0 && batch === 1) break
    const work = found.reduce((sum, { scanned }) => sum + scanned + seeks, 0)
    left -= work
    // Full buckets can follow many small ones. They are then counted alone.
    const fitting = Math.floor((chunk * some.length) / work / 2)
    batch = whole >= 0 ? 1 : Math.min(Math.max(fitting, 1), batch * 4, MAX_BATCH)
    await setImmediate()
  }
  return counts
}
