import { VisuallyHidden } from '@mantine/core'
import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import type { LogEvent } from '../data/events.ts'
import classes from './event-value.module.css'
import { EventValueView } from './event-value.tsx'
import { type EventValue, useEventChange } from './use-event-change.ts'

/** Whether a change has no values to show. */
const isEmpty = ({ before, after }: { before: EventValue[]; after: EventValue[] }) =>
  before.length === 0 && after.length === 0

/** The values before and after a change. */
export function ChangeLine({ event }: { event: LogEvent }) {
  const { t } = useTranslation()
  const change = useEventChange(event)
  const { before, after, isReplaced } = change
  if (isEmpty(change)) return null
  return (
    <span className={classes.change}>
      {before.length > 0 && (
        <>
          {isReplaced && <VisuallyHidden>{t('events.from_to')}</VisuallyHidden>}
          <del className={classes.before}>
            <EventValueList of={before} />
          </del>
        </>
      )}
      {isReplaced && (
        <>
          <span className={before.length > 0 ? classes.arrow : classes.first} aria-hidden>
            →
          </span>
          <VisuallyHidden>{t('events.to')}</VisuallyHidden>
          {after.length === 0 && <span className={classes.none}>{t('events.nothing')}</span>}
        </>
      )}
      {after.length > 0 && <EventValueList of={after} />}
    </span>
  )
}

function EventValueList({ of }: { of: EventValue[] }) {
  return of.map((value, i) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: what an event tells does not change
    <Fragment key={i}>
      {i > 0 && <span className={classes.comma}>{value.kind === 'tag' ? ' ' : ', '}</span>}
      <EventValueView value={value} />
    </Fragment>
  ))
}
