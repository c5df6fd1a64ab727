import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { LogEvent } from '../data/events.ts'
import { hoursOptions, latestOptions } from '../data/home.ts'
import { buckets } from '../events/buckets.ts'
import { EventLine } from '../events/event-line.tsx'
import { BarChart } from '../parts/bar-chart.tsx'
import { Loaded } from '../parts/layout/loaded.tsx'
import { useFormat } from '../parts/texts/format.ts'
import { useNow } from '../parts/texts/use-now.ts'
import { EmptyLine, HomeSection } from './home-section.tsx'
import classes from './recent-activity.module.css'

/** Events since yesterday: a chart by hour and the latest ones. */
export function RecentActivity() {
  const { t } = useTranslation()
  const from = yesterday(useNow(300))
  const query = useQuery(latestOptions(from))
  return (
    <HomeSection
      title={t('home.since')}
      all={{
        to: '/events',
        search: { 'filter[created_at][from]': String(from) },
        label: t('home.to_events'),
      }}
    >
      <Loaded query={query} rows={4}>
        {(events) =>
          events.length === 0 ? (
            <EmptyLine>{t('home.nothing_happened')}</EmptyLine>
          ) : (
            <>
              <Hours from={from} />
              <ol className={classes.rows}>
                {events.map((event) => (
                  <Row key={event.id} event={event} />
                ))}
              </ol>
            </>
          )
        }
      </Loaded>
    </HomeSection>
  )
}

/** Returns the start of yesterday in the reader's time zone. */
function yesterday(now: number): number {
  const at = new Date(now * 1000)
  return new Date(at.getFullYear(), at.getMonth(), at.getDate() - 1).getTime() / 1000
}

/** Every sixth hour has a label. */
const NAMED = 6

function Hours({ from }: { from: number }) {
  const { t } = useTranslation()
  const format = useFormat()
  const navigate = useNavigate()
  const { data } = useQuery(hoursOptions(from))
  if (!data) return <div className={classes.waiting} />
  const hours = buckets(data._embedded.counts, 'hour', { from, to: null })
  const bars = hours.map(({ at, count }) => {
    const hour = new Date(at * 1000).getHours()
    return {
      at,
      count,
      label: t('home.hour', { when: format.dateTime(at), count }),
      tick: hour % NAMED === 0 ? (hour === 0 ? format.day(at) : format.time(at)) : undefined,
    }
  })
  return (
    <div className={classes.chart}>
      <BarChart
        label={t('home.by_hour')}
        bars={bars}
        height={56}
        onChoose={({ at }) =>
          navigate({
            to: '/events',
            search: {
              'filter[created_at][from]': String(at),
              'filter[created_at][to]': String(at + 3_599),
            },
          })
        }
      />
    </div>
  )
}

function Row({ event }: { event: LogEvent }) {
  const format = useFormat()
  const { created_at } = event
  return (
    <li className={classes.row}>
      <span className={classes.line}>
        <EventLine event={event} showRecord />
      </span>
      <time
        className={classes.when}
        dateTime={new Date(created_at * 1000).toISOString()}
        title={format.exact(created_at)}
      >
        {format.relative(created_at)}
      </time>
    </li>
  )
}
