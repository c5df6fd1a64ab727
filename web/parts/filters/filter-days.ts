/** A range of days as `2026-03-01`, or of their seconds. */
export interface Days {
  from: string
  to: string
}

const DAY = 86_400
const two = (value: number) => String(value).padStart(2, '0')

export const isoDay = (at: Date) => `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
export const isDay = (day: string) => /^\d{4}-\d\d-\d\d$/.test(day) && !Number.isNaN(startOf(day))

/** The first second of a day in the reader's time zone, or in UTC. */
export const startOf = (day: string) => Math.floor(new Date(`${day}T00:00:00`).getTime() / 1000)
const startInUtc = (day: string) => Date.parse(`${day}T00:00:00Z`) / 1000

/**
 * Converts days to seconds. A date field is stored as midnight in UTC or in the reader's time zone, so the range
 * includes both.
 */
export function secondsOf({ from, to }: Days, isOfDays: boolean): Days {
  const least = (day: string) => (isOfDays ? Math.min(startOf(day), startInUtc(day)) : startOf(day))
  return {
    from: isDay(from) ? String(least(from)) : '',
    to: isDay(to) ? String(least(dayAfter(to)) - 1) : '',
  }
}

/** Converts seconds to days. */
export function daysOf({ from, to }: { from: string; to: string }, isOfDays: boolean): Days {
  return {
    from: from === '' ? '' : dayAt(Number(from), isOfDays),
    // The second after the range is the start of the next day.
    to: to === '' ? '' : dayBefore(dayAt(Number(to) + 1, isOfDays), Number(to), isOfDays),
  }
}

function dayAt(seconds: number, isOfDays: boolean): string {
  const at = new Date(seconds * 1000)
  return isOfDays && seconds % DAY === 0 ? at.toISOString().slice(0, 10) : isoDay(at)
}

/** Returns the last day; an address may end in the middle of a day. */
function dayBefore(next: string, last: number, isOfDays: boolean): string {
  const isEnd = secondsOf({ from: next, to: '' }, isOfDays).from === String(last + 1)
  return isEnd ? shifted(next, -1) : dayAt(last, isOfDays)
}

const dayAfter = (day: string) => shifted(day, 1)
const shifted = (day: string, by: number) =>
  new Date((startInUtc(day) + by * DAY) * 1000).toISOString().slice(0, 10)
