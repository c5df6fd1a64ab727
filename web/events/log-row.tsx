import { IconChevronRight, IconLink } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { memo, useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { LogEvent } from '../data/events.ts'
import { useFormat } from '../parts/texts/format.ts'
import { ChangeLine } from './change-line.tsx'
import { EventJson } from './event-json.tsx'
import { EventRecord } from './event-record.tsx'
import { useActionText, useActorName } from './event-text.ts'
import classes from './log.module.css'

interface LogRowProps {
  event: LogEvent
  isOpen: boolean
  onToggle: (id: string) => void
}

/** An event in one line. It expands to its JSON. */
export const LogRow = memo(function LogRow({ event, isOpen, onToggle }: LogRowProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const who = useActorName()(event)
  const did = useActionText(event)
  const [whoId, whatId] = [useId(), useId()]
  return (
    <>
      <div className={classes.row} data-open={isOpen || undefined}>
        <button
          type="button"
          className={classes.toggle}
          data-log-row
          aria-expanded={isOpen}
          aria-label={t('events.show_json')}
          aria-describedby={`${whoId} ${whatId}`}
          onClick={() => onToggle(event.id)}
        >
          <IconChevronRight size={14} stroke={1.7} aria-hidden />
        </button>
        <time
          className={classes.time}
          dateTime={new Date(event.created_at * 1000).toISOString()}
          title={format.exact(event.created_at)}
        >
          {format.clock(event.created_at)}
        </time>
        <span id={whoId} className={classes.who} title={who}>
          {who}
        </span>
        <span id={whatId} className={classes.what}>
          {did} <ChangeLine event={event} />
        </span>
        <EventRecord event={event} className={classes.record} />
        <Link
          to="/events/$eventId"
          params={{ eventId: event.id }}
          className={classes.open}
          aria-label={t('events.open')}
          title={t('events.open')}
        >
          <IconLink size={14} stroke={1.7} aria-hidden />
        </Link>
      </div>
      {isOpen && <EventJson event={event} />}
    </>
  )
})
