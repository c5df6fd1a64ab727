import { useInfiniteQuery } from '@tanstack/react-query'
import { Outlet, useMatch } from '@tanstack/react-router'
import { chatsOptions } from '../../data/chats.ts'
import { ChatList } from './chat-list.tsx'
import { isNarrowed, useFilter } from './filters.ts'
import classes from './inbox.module.css'

/** The list of conversations and one of them. Narrow screens show one at a time. */
export function InboxPage() {
  const isOpen = useMatch({ from: '/shell/inbox/$chatId', shouldThrow: false }) !== undefined
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
