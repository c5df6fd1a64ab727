import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  type Filter,
  type FilterEditorProps,
  type FilterWords,
  isOf,
  rangeChange,
  rangeIn,
} from './filter.ts'
import classes from './filter-bar.module.css'
import { type Days, daysOf, isoDay, secondsOf, startOf } from './filter-days.ts'
import { describeRange } from './filter-numbers.tsx'

interface TimesFilter {
  name: string
  title: string
  member: string
  /** The named ranges to offer: past ones, or also future ones. */
  spans?: 'past' | 'ahead'
  /** The values are dates, stored as midnight in UTC or in the writer's time zone. */
  isOfDays?: boolean
}

/** Returns a filter by a range of days in the reader's time zone. */
export function timesFilter(
  words: FilterWords,
  { name, title, member, spans = 'past', isOfDays = false }: TimesFilter,
): Filter {
  return {
    name,
    title,
    owns: isOf(member),
    describe: (search) => describeSpan(words, daysOf(rangeIn(search, member), isOfDays)),
    Editor: (props) => <TimesEditor {...props} member={member} spans={spans} isOfDays={isOfDays} />,
  }
}

function describeSpan(words: FilterWords, days: Days): string | null {
  const span = Object.entries(named).find(([, span]) => {
    const [first, last] = span(new Date())
    return isoDay(first) === days.from && isoDay(last) === days.to
  })
  if (span) return words.t(`filters.span.${span[0] as keyof typeof named}`)
  return describeRange(words, days, (day) => words.format.date(startOf(day)))
}

/** Returns the date that is `days` away; month lengths differ, so this is not a multiple of 24 hours. */
const away = (from: Date, days: number) =>
  new Date(from.getFullYear(), from.getMonth(), from.getDate() + days)
const firstOfMonth = (at: Date, months = 0) => new Date(at.getFullYear(), at.getMonth() + months, 1)
const lastOfMonth = (at: Date, months = 0) => new Date(at.getFullYear(), at.getMonth() + months + 1, 0)

/** Named ranges as their first and last day. */
const named = {
  today: (now: Date) => [now, now],
  yesterday: (now: Date) => [away(now, -1), away(now, -1)],
  tomorrow: (now: Date) => [away(now, 1), away(now, 1)],
  last_7: (now: Date) => [away(now, -6), now],
  last_30: (now: Date) => [away(now, -29), now],
  next_7: (now: Date) => [now, away(now, 6)],
  next_30: (now: Date) => [now, away(now, 29)],
  this_month: (now: Date) => [firstOfMonth(now), lastOfMonth(now)],
  last_month: (now: Date) => [firstOfMonth(now, -1), lastOfMonth(now, -1)],
} satisfies Record<string, (now: Date) => [Date, Date]>

const offered = {
  past: ['today', 'yesterday', 'last_7', 'last_30', 'this_month', 'last_month'],
  ahead: ['today', 'tomorrow', 'next_7', 'next_30', 'this_month', 'last_month'],
} as const

function TimesEditor({
  search,
  onChange,
  member,
  spans,
  isOfDays,
}: FilterEditorProps & Required<Pick<TimesFilter, 'member' | 'spans' | 'isOfDays'>>) {
  const { t } = useTranslation()
  const [days, setDays] = useState<Days>(() => daysOf(rangeIn(search, member), isOfDays))
  const set = (next: Days) => {
    setDays(next)
    onChange(rangeChange(search, member, secondsOf(next, isOfDays)))
  }
  return (
    <div className={classes.times}>
      <div className={classes.spans}>
        {offered[spans].map((name) => {
          const [first, last] = named[name](new Date())
          const span = { from: isoDay(first), to: isoDay(last) }
          const isChosen = span.from === days.from && span.to === days.to
          return (
            <button key={name} type="button" aria-pressed={isChosen} onClick={() => set(span)}>
              {t(`filters.span.${name}`)}
            </button>
          )
        })}
      </div>
      <div className={classes.ends}>
        {(['from', 'to'] as const).map((end) => (
          <TextInput
            key={end}
            type="date"
            label={t(`filters.${end}`)}
            value={days[end]}
            max="9999-12-31"
            onChange={(event) => set({ ...days, [end]: event.currentTarget.value })}
          />
        ))}
      </div>
    </div>
  )
}
