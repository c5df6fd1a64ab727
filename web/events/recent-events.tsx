import { type UseQueryOptions, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useColleagueName } from '../data/colleagues.ts'
import type { LogEvent } from '../data/events.ts'
import { Loaded } from '../parts/layout/loaded.tsx'
import { useActingName } from '../parts/people/acting-name.ts'
import { useFormat } from '../parts/texts/format.ts'
import { ChangeLine } from './change-line.tsx'
import classes from './recent-events.module.css'
import { useTypeName } from './use-type-name.ts'

interface RecentEventsProps<Key extends readonly unknown[]> {
  title: string
  events: UseQueryOptions<LogEvent[], Error, LogEvent[], Key>
}

/** The latest events of a record, for narrow spaces. */
export function RecentEvents<Key extends readonly unknown[]>({ title, events }: RecentEventsProps<Key>) {
  const { t } = useTranslation()
  const query = useQuery(events)
  return (
    <>
      <h4 className={classes.title}>{title}</h4>
      <Loaded query={query} rows={2}>
        {(found) =>
          found.length === 0 ? (
            <p className={classes.none}>{t('records.nothing_yet')}</p>
          ) : (
            <ol className={classes.timeline} aria-label={title}>
              {runsOf(found).map(({ event, count }) => (
                <EventRow key={event.id} event={event} count={count} />
              ))}
            </ol>
          )
        }
      </Loaded>
    </>
  )
}

const isMessage = ({ type }: LogEvent) => type.endsWith('_chat_message')

/** Groups consecutive messages under the newest one. */
function runsOf(events: LogEvent[]): { event: LogEvent; count: number }[] {
  const runs: { event: LogEvent; count: number }[] = []
  for (const event of events) {
    const last = runs.at(-1)
    const { type, created_by } = event
    if (last && isMessage(event) && last.event.type === type && last.event.created_by === created_by)
      last.count += 1
    else runs.push({ event, count: 1 })
  }
  return runs
}

function EventRow({ event, count }: { event: LogEvent; count: number }) {
  const typeName = useTypeName()
  const nameOf = useColleagueName()
  const actingName = useActingName()
  const format = useFormat()
  const by = actingName(nameOf(event.created_by), event.created_by_integration)
  return (
    <li className={classes.event}>
      <div className={classes.what}>
        <span>
          {typeName(event) ?? '…'}
          {count > 1 && <span className={classes.times}> × {format.number(count)}</span>}
        </span>
        <time
          dateTime={new Date(event.created_at * 1000).toISOString()}
          title={format.dateTime(event.created_at)}
        >
          {format.moment(event.created_at)}
        </time>
      </div>
      {/* A message would link to the conversation that is already open here. */}
      {!isMessage(event) && (
        <div className={classes.change}>
          <ChangeLine event={event} />
        </div>
      )}
      {by && <div className={classes.by}>{by}</div>}
    </li>
  )
}
