/** Seconds. */
export const DAY = 86_400
const HOUR = 3_600
/** As many days as are shown when nothing is asked for. */
const DAYS = 60
/** A chart of more bars has none that one could press. */
const MOST = 400

/** One bar: its first second, its last, and how much happened in it. */
export interface Bucket {
  at: number
  end: number
  count: number
}

/** The server tells of days in which something happened; the others stand between them, or time would not be even. */
export function buckets(
  counts: { at: number; count: number }[],
  by: 'day' | 'hour',
  { from, to }: { from: number | null; to: number | null },
  now = Math.floor(Date.now() / 1000),
): Bucket[] {
  const known = new Map(counts.map(({ at, count }) => [at, count]))
  const times = counts.map(({ at }) => at)
  const last = startOf(to ?? Math.max(now, ...times), by)
  const first = startOf(from ?? Math.min(...times, last - (DAYS - 1) * DAY), by)
  const all: Bucket[] = []
  for (let at = first; at <= last && all.length < MOST; at = next(at, by))
    all.push({ at, end: next(at, by) - 1, count: known.get(at) ?? 0 })
  return all
}

/** Days and hours of the reader's clock; a day may have 23 hours, or 25. */
function startOf(seconds: number, by: 'day' | 'hour'): number {
  const at = new Date(seconds * 1000)
  if (by === 'hour') at.setMinutes(0, 0, 0)
  else at.setHours(0, 0, 0, 0)
  return at.getTime() / 1000
}

function next(seconds: number, by: 'day' | 'hour'): number {
  if (by === 'hour') return seconds + HOUR
  const at = new Date(seconds * 1000)
  at.setDate(at.getDate() + 1)
  return at.getTime() / 1000
}
