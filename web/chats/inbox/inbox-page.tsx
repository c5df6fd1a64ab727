import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Outlet, useMatch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { chatName, chatsOptions, unreadOptions } from '../../data/chats.ts'
import { usePageTitle } from '../../parts/layout/page.tsx'
import { ChatList } from './chat-list.tsx'
import { isNarrowed, useFilter } from './filters.ts'
import classes from './inbox.module.css'
import { useListedChat } from './use-listed-chat.ts'

/** The list of conversations and one of them. Narrow screens show one at a time. */
export function InboxPage() {
  const opened = useMatch({ from: '/shell/inbox/$chatId', shouldThrow: false })
  const isOpen = opened !== undefined
  useInboxTitle(opened?.params.chatId)
  const filter = useFilter()
  const { data } = useInfiniteQuery(chatsOptions(filter))
  const isNew = !isOpen && !isNarrowed(filter) && data?.pages[0]?.rows.length === 0
  return (
    <div className={classes.inbox} data-open={isOpen} data-new={isNew}>
      <div className={classes.list}>
        <ChatList />
      </div>
      <div className={classes.rest}>
        <Outlet />
      </div>
    </div>
  )
}

/** The title of the tab: the open conversation, and before it how many are unread. */
function useInboxTitle(chatId: string | undefined) {
  const { t } = useTranslation()
  const { data: unread } = useQuery(unreadOptions)
  const { data: chat } = useListedChat(chatId)
  const title = chat ? chatName(chat) : t('inbox.title')
  usePageTitle(unread ? t('inbox.title_unread', { unread, title }) : title)
}
