import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'

const steps: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]

/** Dates and numbers in the reader's language; times come as Unix seconds. */
export function useFormat() {
  const { i18n } = useTranslation()
  return useMemo(() => {
    const locale = i18n.language
    const date = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' })
    const dateTime = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' })
    const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
    const number = new Intl.NumberFormat(locale)
    const list = new Intl.ListFormat(locale, { type: 'conjunction' })
    return {
      date: (seconds: number) => date.format(seconds * 1000),
      dateTime: (seconds: number) => dateTime.format(seconds * 1000),
      number: (value: number) => number.format(value),
      list: (items: string[]) => list.format(items),
      relative: (seconds: number, now = Date.now() / 1000) => {
        const away = seconds - now
        const [unit, size] = steps.find(([, length]) => Math.abs(away) >= length) ?? ['minute', 60]
        return relative.format(Math.trunc(away / size), unit)
      },
    }
  }, [i18n.language])
}
