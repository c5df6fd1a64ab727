import { DAY, midnightOf, offsetsOf, startOfDayAt } from '../local-days.ts'

/** The first day of a period and the day after its last one, each as a local midnight written as if it were UTC. */
type Period = [first: number, after: number]

const dateOf = (midnight: number): [year: number, month: number, day: number] => {
  const date = new Date(midnight * 1000)
  return [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()]
}
const midnightIn = (year: number, month: number, day: number): number => Date.UTC(year, month, day) / 1000

/** A period of whole days: `from` and `to` count from today, and the day `to` is included. */
const days =
  (from: number, to: number) =>
  (today: number): Period => [today + from * DAY, today + (to + 1) * DAY]

/** The week that is `later` weeks after the current one. Weeks begin on Monday; day 0 of Unix time was a Thursday. */
const week =
  (later: number) =>
  (today: number): Period => {
    const weekday = (today / DAY + 3) % 7
    const monday = today + (later * 7 - weekday) * DAY
    return [monday, monday + 7 * DAY]
  }

/** A period of `size` months of a year, such as a quarter, that is `later` periods after the current one. */
const months =
  (size: number, later = 0) =>
  (today: number): Period => {
    const [year, month] = dateOf(today)
    const first = month - (month % size) + later * size
    return [midnightIn(year, first, 1), midnightIn(year, first + size, 1)]
  }

/** From the same day of an earlier month to today. A month without such a day begins the period with its last day. */
const sinceMonth =
  (earlier: number) =>
  (today: number): Period => {
    const [year, month, day] = dateOf(today)
    const [, , last] = dateOf(midnightIn(year, month - earlier + 1, 0))
    return [midnightIn(year, month - earlier, Math.min(day, last)), today + DAY]
  }

/** The periods of `filter[date][date_preset]` (D4), by the local midnight of today. */
const presets = {
  day: days(0, 0),
  tomorrow: days(1, 1),
  yesterday: days(-1, -1),
  week: week(0),
  previous_week: week(-1),
  next_week: week(1),
  month: months(1),
  next_month: months(1, 1),
  previous_month: months(1, -1),
  quarter: months(3),
  previous_quarter: months(3, -1),
  next_quarter: months(3, 1),
  last_3_days: days(-2, 0),
  next_3_days: days(0, 2),
  last_6_month: sinceMonth(6),
  year: months(12),
}
export type DatePreset = keyof typeof presets

export const datePresets = Object.keys(presets) as DatePreset[]

export const isDatePreset = (name: unknown): name is DatePreset =>
  typeof name === 'string' && Object.hasOwn(presets, name)

/** The first and the last second of a period in a time zone. `now` is in Unix seconds. */
export function presetRange(
  preset: DatePreset,
  time_zone: string,
  now: number,
): { from: number; to: number } {
  const offset = offsetsOf(time_zone)
  const [first, after] = presets[preset](midnightOf(now, offset))
  return { from: startOfDayAt(first, offset), to: startOfDayAt(after, offset) - 1 }
}
