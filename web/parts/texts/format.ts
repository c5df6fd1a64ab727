import { useLocale } from './region.ts'

const steps: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]

const sizes: ['gigabyte' | 'megabyte' | 'kilobyte', number][] = [
  ['gigabyte', 2 ** 30],
  ['megabyte', 2 ** 20],
  ['kilobyte', 2 ** 10],
]

const midnight = (at: Date) => new Date(at.getFullYear(), at.getMonth(), at.getDate()).getTime()
const daysBetween = (from: Date, to: Date) => Math.round((midnight(to) - midnight(from)) / 86_400_000)
const isThisYear = (at: Date) => at.getFullYear() === new Date().getFullYear()
const capital = (text: string, locale: string) => text.charAt(0).toLocaleUpperCase(locale) + text.slice(1)

/** Formats dates and numbers in the reader's language and region. Times are Unix seconds. */
export function useFormat() {
  const locale = useLocale()
  const format = kept.get(locale) ?? formatIn(locale)
  kept.set(locale, format)
  return format
}

/** Formatters are expensive, so all cells share those of their language. */
const kept = new Map<string, ReturnType<typeof formatIn>>()

export const formatIn = (locale: string) => ({
  ...datesIn(locale),
  ...numbersIn(locale),
  list: lister(locale),
})

function lister(locale: string) {
  const list = new Intl.ListFormat(locale, { type: 'conjunction' })
  return (items: string[]) => list.format(items)
}

function datesIn(locale: string) {
  const formatter = (style: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, style)
  const date = formatter({ dateStyle: 'medium' })
  const dateTime = formatter({ dateStyle: 'medium', timeStyle: 'short' })
  const time = formatter({ timeStyle: 'short' })
  const day = formatter({ weekday: 'long', day: 'numeric', month: 'long' })
  const shortDay = formatter({ day: 'numeric', month: 'short' })
  const clock = formatter({ timeStyle: 'medium' })
  const exact = formatter({ dateStyle: 'medium', timeStyle: 'medium' })
  const calendarDay = formatter({ dateStyle: 'medium', timeZone: 'UTC' })
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
  const counted = new Intl.RelativeTimeFormat(locale)
  return {
    date: (seconds: number) => date.format(seconds * 1000),
    dateTime: (seconds: number) => dateTime.format(seconds * 1000),
    time: (seconds: number) => time.format(seconds * 1000),
    /** The time of day with seconds. */
    clock: (seconds: number) => clock.format(seconds * 1000),
    /** The date and time with seconds. */
    exact: (seconds: number) => exact.format(seconds * 1000),
    /** A date, given as its midnight in UTC. */
    calendarDay: (seconds: number) => calendarDay.format(seconds * 1000),
    /** A day as a heading: today and yesterday by name, other years with the year. */
    day: (seconds: number, now = Date.now() / 1000) => {
      const at = new Date(seconds * 1000)
      const away = daysBetween(at, new Date(now * 1000))
      if (away < 2) return capital(relative.format(-away, 'day'), locale)
      return isThisYear(at) ? capital(day.format(at), locale) : date.format(at)
    },
    /** A short time: the time of day for today, otherwise the date. */
    moment: (seconds: number) => {
      const at = new Date(seconds * 1000)
      if (daysBetween(at, new Date()) === 0) return time.format(at)
      return isThisYear(at) ? shortDay.format(at) : date.format(at)
    },
    relative: (seconds: number, now = Date.now() / 1000) => {
      const away = seconds - now
      if (Math.abs(away) < 60) return relative.format(0, 'second')
      const [unit, size] = steps.find(([, length]) => Math.abs(away) >= length) ?? ['minute', 60]
      // Yesterday is a day of the calendar, not the 24 hours before the last 24.
      if (unit === 'day')
        return relative.format(-daysBetween(new Date(seconds * 1000), new Date(now * 1000)), unit)
      const words = unit === 'month' || unit === 'year' ? counted : relative
      return words.format(Math.trunc(away / size), unit)
    },
  }
}

function numbersIn(locale: string) {
  const degrees = new Intl.NumberFormat(locale, { maximumFractionDigits: 5 })
  const number = new Intl.NumberFormat(locale)
  const decimal = new Intl.NumberFormat(locale, { maximumFractionDigits: 15 })
  const hundredths = new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 })
  const moneys = new Map<string, Intl.NumberFormat>()
  return {
    number: (value: number) => number.format(value),
    /** A number of any length, given as text. */
    decimal: (value: string | number) => decimal.format(value as number),
    degrees: (value: number) => degrees.format(value),
    /** A number of rows, with a plus sign if only these were counted. */
    count: (total: number, isComplete: boolean) => `${number.format(total)}${isComplete ? '' : '+'}`,
    size: (bytes: number) => {
      const [unit, size] = sizes.find(([, least]) => bytes >= least) ?? ['byte', 1]
      const digits = unit === 'byte' || bytes / size >= 10 ? 0 : 1
      // A short byte has no plural.
      const unitDisplay = unit === 'byte' ? 'long' : 'short'
      const style = { style: 'unit', unit, unitDisplay, maximumFractionDigits: digits } as const
      return new Intl.NumberFormat(locale, style).format(bytes / size)
    },
    /** An amount without its currency: with two decimals, or none if it is whole. */
    amount: (value: number) => (Number.isInteger(value) ? number : hundredths).format(value),
    /** Money with two decimals, or none for whole amounts. */
    money: (amount: string | number, currency: string) => {
      const digits = Number.isInteger(Number(amount)) ? 0 : 2
      const kind = `${currency} ${digits}`
      const style = { style: 'currency', currency, minimumFractionDigits: digits } as const
      const format = moneys.get(kind) ?? new Intl.NumberFormat(locale, style)
      moneys.set(kind, format)
      return format.format(Number(amount))
    },
  }
}
