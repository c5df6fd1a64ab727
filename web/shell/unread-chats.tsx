import { VisuallyHidden } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { mostUnread, unreadOptions } from '../data/chats.ts'
import classes from './sidebar.module.css'

/** The number of unread conversations. */
export function UnreadChats() {
  const { t } = useTranslation()
  const { data: unread } = useQuery(unreadOptions)
  if (!unread) return null
  return (
    <span className={classes.count}>
      {unread > mostUnread ? `${mostUnread}+` : unread}
      <VisuallyHidden> {t('nav.unread')}</VisuallyHidden>
    </span>
  )
}
