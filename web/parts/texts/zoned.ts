import { useQuery } from '@tanstack/react-query'
import { accountOptions } from '../../data/accounts.ts'
import { useLocale } from './region.ts'

/** Days in the account's time zone, independent of the browser's zone. Times are Unix seconds. */

const DAY = 86_400
/** A deadline in the last minute of a day means the day without a time. */
const LAST_MINUTE = 23 * 60 + 59

/** Formatters are expensive, so there is one for each zone, and one for each zone and language. */
function keptBy<Made>(make: (zone: string, locale: string) => Made): (zone: string, locale?: string) => Made {
  const kept = new Map<string, Made>()
  return (zone, locale = '') => {
    const key = `${zone} ${locale}`
    const made = kept.get(key) ?? make(zone, locale)
    kept.set(key, made)
    return made
  }
}

const parts = keptBy(
  (zone) =>
    new Intl.DateTimeFormat('en-GB', {
      timeZone: zone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      hourCycle: 'h23',
    }),
)

/** Returns the local time of a moment, as if it were UTC. */
function wallOf(zone: string, at: number): number {
  const found = Object.fromEntries(
    parts(zone)
      .formatToParts(at * 1000)
      .map(({ type, value }) => [type, Number(value)]),
  ) as Record<'year' | 'month' | 'day' | 'hour' | 'minute' | 'second', number>
  const { year, month, day, hour, minute, second } = found
  return Date.UTC(year, month - 1, day, hour, minute, second) / 1000
}

/** Returns the moment of a local time; a time skipped in spring is one hour later. */
function momentOf(zone: string, wall: number): number {
  const guess = wall - (wallOf(zone, wall) - wall)
  return guess - (wallOf(zone, guess) - wall)
}

/** Returns the start of the day of a moment, or of a later day. */
export function dayStart(zone: string, at: number, days = 0): number {
  const wall = wallOf(zone, at)
  return momentOf(zone, wall - (((wall % DAY) + DAY) % DAY) + days * DAY)
}

/** Returns the start of the week of a moment (Monday), or of a later week. */
export function weekStart(zone: string, at: number, weeks = 0): number {
  const weekday = (new Date(wallOf(zone, at) * 1000).getUTCDay() + 6) % 7
  return dayStart(zone, at, weeks * 7 - weekday)
}

/** Returns the minutes after midnight. */
export const minuteOf = (zone: string, at: number) =>
  Math.floor((wallOf(zone, at) - wallOf(zone, dayStart(zone, at))) / 60)

/** Returns a time of a day; by default the end of the day. */
export function onDay(zone: string, day: number, minute = LAST_MINUTE): number {
  return momentOf(zone, wallOf(zone, dayStart(zone, day)) + minute * 60)
}

export const isWholeDay = (zone: string, at: number) => minuteOf(zone, at) === LAST_MINUTE

/** Converts between a moment and the value of `<input type="datetime-local">`; undefined for incomplete input. */
export const toLocalInput = (zone: string, at: number) =>
  new Date(wallOf(zone, at) * 1000).toISOString().slice(0, 16)
export function fromLocalInput(zone: string, text: string): number | undefined {
  const wall = Date.parse(`${text}Z`) / 1000
  return Number.isFinite(wall) ? momentOf(zone, wall) : undefined
}

/** The time zone in which all times except those of tasks are shown. */
export const browserZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

/** Returns the account's time zone, or the browser's until it is loaded. */
export function useTimeZone(): string {
  const { data } = useQuery(accountOptions)
  return data?._embedded?.datetime_settings?.timezone ?? browserZone()
}

const capital = (text: string, locale: string) => text.charAt(0).toLocaleUpperCase(locale) + text.slice(1)

/** Returns a function that formats a deadline: a time today, a near day by name, otherwise a date. */
export function useDeadlineText(): (at: number, now?: number) => string {
  return deadlinesIn(useTimeZone(), useLocale())
}

const deadlinesIn = keptBy((zone, locale) => {
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { timeZone: zone, ...options })
  const time = format({ timeStyle: 'short' })
  const weekday = format({ weekday: 'short', day: 'numeric', month: 'short' })
  const date = format({ dateStyle: 'medium' })
  const year = format({ year: 'numeric' })
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
  return (at: number, now = Date.now() / 1000) => {
    const away = Math.round((dayStart(zone, at) - dayStart(zone, now)) / DAY)
    const isThisYear = year.format(at * 1000) === year.format(now * 1000)
    const near = Math.abs(away) <= 1 ? capital(relative.format(away, 'day'), locale) : undefined
    const day = near ?? (isThisYear ? weekday : date).format(at * 1000)
    if (isWholeDay(zone, at)) return day
    return away === 0 ? time.format(at * 1000) : `${day}, ${time.format(at * 1000)}`
  }
})
