/** Days of the calendar as `2026-03-01`, and the seconds from the first to the last of them. */
export interface Days {
  from: string
  to: string
}

const DAY = 86_400
const two = (value: number) => String(value).padStart(2, '0')

export const isoDay = (at: Date) => `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
export const isDay = (day: string) => /^\d{4}-\d\d-\d\d$/.test(day) && !Number.isNaN(startOf(day))

/** Its first second where the reader is, and where a day was kept as its midnight in UTC. */
export const startOf = (day: string) => Math.floor(new Date(`${day}T00:00:00`).getTime() / 1000)
const startInUtc = (day: string) => Date.parse(`${day}T00:00:00Z`) / 1000

/** The seconds of some days. What is kept as a day is a midnight, that of UTC or of the reader: both belong to it. */
export function secondsOf({ from, to }: Days, isOfDays: boolean): Days {
  const least = (day: string) => (isOfDays ? Math.min(startOf(day), startInUtc(day)) : startOf(day))
  return {
    from: isDay(from) ? String(least(from)) : '',
    to: isDay(to) ? String(least(dayAfter(to)) - 1) : '',
  }
}

/** The days that some seconds are of. */
export function daysOf({ from, to }: { from: string; to: string }, isOfDays: boolean): Days {
  return {
    from: from === '' ? '' : dayAt(Number(from), isOfDays),
    // The second after the last one begins the day after the last one.
    to: to === '' ? '' : dayBefore(dayAt(Number(to) + 1, isOfDays), Number(to), isOfDays),
  }
}

function dayAt(seconds: number, isOfDays: boolean): string {
  const at = new Date(seconds * 1000)
  return isOfDays && seconds % DAY === 0 ? at.toISOString().slice(0, 10) : isoDay(at)
}

/** The day of the last second, which an address may also put in the middle of a day. */
function dayBefore(next: string, last: number, isOfDays: boolean): string {
  const isEnd = secondsOf({ from: next, to: '' }, isOfDays).from === String(last + 1)
  return isEnd ? shifted(next, -1) : dayAt(last, isOfDays)
}

const dayAfter = (day: string) => shifted(day, 1)
const shifted = (day: string, by: number) =>
  new Date((startInUtc(day) + by * DAY) * 1000).toISOString().slice(0, 10)
