import { Outlet, useMatch } from '@tanstack/react-router'
import { ChatList } from './chat-list.tsx'
import classes from './inbox.module.css'

/** The conversations of the account, and one of them beside the list. Narrow screens show the one or the other. */
export function InboxPage() {
  const isOpen = useMatch({ from: '/shell/inbox/$chatId', shouldThrow: false }) !== undefined
  return (
    <div className={classes.inbox} data-open={isOpen}>
      <div className={classes.list}>
        <ChatList />
      </div>
      <div className={classes.rest}>
        <Outlet />
      </div>
    </div>
  )
}
