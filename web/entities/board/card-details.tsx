import { VisuallyHidden } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { briefOptions } from '../../data/record-briefs.ts'
import type { AnyRecord } from '../../data/records.ts'
import { Avatar } from '../../parts/people/avatar.tsx'
import { isWholeDay, useDeadlineText, useTimeZone } from '../../parts/texts/zoned.ts'
import classes from './card.module.css'

/** The main contact of a lead, or its company. */
export function Who({ lead: { _embedded } }: { lead: AnyRecord }) {
  const contact = _embedded?.contacts?.find(({ is_main }) => is_main) ?? _embedded?.contacts?.[0]
  const one = contact ?? _embedded?.companies?.[0]
  const { data } = useQuery({
    ...briefOptions(contact ? 'contacts' : 'companies', one?.id ?? 0),
    enabled: one !== undefined,
  })
  return (
    <span className={classes.who} title={data?.name}>
      {data?.name}
    </span>
  )
}

/** The responsible person, by their initials. */
export function Owner({ name }: { name: string }) {
  return (
    <span className={classes.owner} title={name}>
      <Avatar name={name} size="small" />
      <VisuallyHidden>{name}</VisuallyHidden>
    </span>
  )
}

/** The next task, if it is overdue or due today. */
export function NextTask({ at, now }: { at: number; now: number }) {
  const { t } = useTranslation()
  const zone = useTimeZone()
  const when = useDeadlineText()(at, now)
  const isLate = at < now
  const today = isWholeDay(zone, at) ? t('board.task_today') : t('board.task_today_at', { time: when })
  const text = isLate ? t('board.task_late', { when }) : today
  return (
    <span className={isLate ? classes.late : classes.due} title={text}>
      {text}
    </span>
  )
}

/** Whether a task is overdue or due today. */
export const isNear = (at: number | null | undefined, tomorrow: number): at is number =>
  typeof at === 'number' && at < tomorrow
