import {
  type Icon,
  IconCheckbox,
  IconFile,
  IconMessage,
  IconNote,
  IconPencil,
  IconPhone,
  IconPlus,
} from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { eventKindOf, type TimelineKind } from '../../../src/events/event-types.ts'
import type { LogEvent } from '../../data/events.ts'
import { useFormat } from '../../parts/texts/format.ts'
import classes from './timeline.module.css'

const icons: Record<TimelineKind, Icon> = {
  change: IconPencil,
  note: IconNote,
  call: IconPhone,
  file: IconFile,
  message: IconMessage,
  task: IconCheckbox,
}

interface RowProps {
  kind: TimelineKind
  event: LogEvent
  /** The sentence. */
  line: ReactNode
  menu?: ReactNode
  children?: ReactNode
}

/** A row of a timeline: an icon, a line, a time and the content below. */
export function Row({ kind, event, line, menu, children }: RowProps) {
  const Mark = eventKindOf(event.type)?.isCreation ? IconPlus : icons[kind]
  return (
    <li className={classes.row} data-kind={kind}>
      <span className={classes.mark} aria-hidden>
        <Mark size={16} stroke={1.7} />
      </span>
      <div className={classes.line}>
        <span className={classes.sentence}>{line}</span>
        {menu}
        <Time event={event} />
      </div>
      {children}
    </li>
  )
}

/** The time of an event, which links to the event. */
export function Time({ event: { id, created_at } }: { event: LogEvent }) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <Link
      to="/events/$eventId"
      params={{ eventId: id }}
      className={classes.time}
      title={`${format.exact(created_at)} · ${t('timeline.permalink')}`}
      preload={false}
    >
      <time dateTime={new Date(created_at * 1000).toISOString()}>{format.time(created_at)}</time>
    </Link>
  )
}
