import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { countsOptions } from '../data/events.ts'
import { BarChart } from '../parts/bar-chart.tsx'
import { rangeChange, rangeIn, type Search, type SearchChange } from '../parts/filters/filter.ts'
import { useFormat } from '../parts/texts/format.ts'
import { type Bucket, buckets, DAY } from './buckets.ts'
import classes from './log-chart.module.css'

interface LogChartProps {
  search: Search
  isLive: boolean
  onChange: (members: SearchChange) => void
}

/** Seconds between updates in live mode. */
const AGAIN = 10
const WHEN = 'filter[created_at]'

/** The number of events per day, or per hour of one day. A bar filters the log. */
export function LogChart({ search, isLive, onChange }: LogChartProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const { from, to } = rangeIn(search, WHEN)
  const isShort = from !== '' && to !== '' && Number(to) - Number(from) <= 2 * DAY
  const by = isShort ? 'hour' : 'day'
  const { data } = useQuery({
    ...countsOptions(search, by),
    refetchInterval: isLive && AGAIN * 1000,
    placeholderData: keepPreviousData,
  })
  if (!data) return <div className={classes.chart} />
  const bars = buckets(data._embedded.counts, by, { from: Number(from) || null, to: Number(to) || null })
  const when = (at: number) => (isShort ? format.dateTime(at) : format.date(at))
  const labeled = bars.map((bar) => ({
    ...bar,
    label: t('events.chart.bar', { when: when(bar.at), count: bar.count }),
  }))
  return (
    <section
      className={classes.chart}
      aria-label={t(isShort ? 'events.chart.label_hours' : 'events.chart.label')}
    >
      <BarChart
        bars={labeled}
        onChoose={({ at, end }) => onChange(rangeChange(search, WHEN, { from: String(at), to: String(end) }))}
      />
      <p className={classes.under}>
        <span>{bars[0] && when(bars[0].at)}</span>
        {data.complete_from !== null && (
          <span>{t('events.chart.since', { when: format.dateTime(data.complete_from) })}</span>
        )}
        {from !== '' && (
          <button
            type="button"
            className={classes.all}
            onClick={() => onChange(rangeChange(search, WHEN, { from: '', to: '' }))}
          >
            {t('events.chart.all_days')}
          </button>
        )}
        <span>{bars.length > 1 && lastOf(bars, by, format)}</span>
      </p>
    </section>
  )
}

const lastOf = (bars: Bucket[], by: 'day' | 'hour', format: ReturnType<typeof useFormat>) => {
  const { at } = bars.at(-1) as Bucket
  return by === 'hour' ? format.time(at) : format.date(at)
}
