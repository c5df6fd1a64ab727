import { VisuallyHidden } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { tasksTotalOptions } from '../data/tasks.ts'
import { useNow } from '../parts/texts/use-now.ts'
import classes from './sidebar.module.css'
import { useSignedIn } from './use-session.ts'

/** Seconds between checks for newly overdue tasks. */
const AGAIN = 60

/** The number of the person's overdue tasks. */
export function OverdueTasks() {
  const { t } = useTranslation()
  const { user } = useSignedIn()
  const late = Math.floor(useNow(AGAIN) / AGAIN) * AGAIN
  const { data } = useQuery({
    ...tasksTotalOptions({
      'filter[responsible_user_id]': String(user.id),
      'filter[is_completed]': '0',
      'filter[complete_till][to]': String(late),
    }),
    placeholderData: (before) => before,
  })
  const count = data?.total ?? 0
  if (count === 0) return null
  return (
    <span className={classes.count}>
      {count > 99 ? '99+' : count}
      <VisuallyHidden> {t('nav.overdue')}</VisuallyHidden>
    </span>
  )
}
