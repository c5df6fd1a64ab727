import { Kbd } from '@mantine/core'
import { IconMessages } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { chatsOptions } from '../../data/chats.ts'
import { useFilter } from './filters.ts'
import classes from './inbox.module.css'

/** Shown next to the list while no conversation is selected. */
export function NoChatSelected() {
  const { t } = useTranslation()
  const { data } = useInfiniteQuery(chatsOptions(useFilter()))
  if (data?.pages[0]?.rows.length === 0) return null
  return (
    <div className={classes.placeholder}>
      <IconMessages size={28} stroke={1.4} aria-hidden />
      <p>{t('inbox.choose')}</p>
      <p>
        <Kbd>↑</Kbd> <Kbd>↓</Kbd> <Kbd>↵</Kbd>
      </p>
    </div>
  )
}
