/** Seconds. */
export const DAY = 86_400
const HOUR = 3_600
/** The number of days without a filter. */
const DAYS = 60
/** More bars would be too narrow to click. */
const MOST = 400

/** A bar: its first and last second, and its count. */
export interface Bucket {
  at: number
  end: number
  count: number
}

/** Fills in the days or hours without events, which the server leaves out. */
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

/** In the reader's time zone, where a day can have 23 or 25 hours. */
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
