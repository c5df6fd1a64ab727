import { getRouteApi } from '@tanstack/react-router'
import { Loaded } from '../../parts/layout/loaded.tsx'
import { Conversation } from './conversation.tsx'
import classes from './thread.module.css'
import { useListedChat } from './use-listed-chat.ts'

const route = getRouteApi('/shell/inbox/$chatId')

/** A conversation; shows the data from the list while it loads. */
export function ThreadPage() {
  const { chatId } = route.useParams()
  const query = useListedChat(chatId)
  if (query.data) return <Conversation key={chatId} chat={query.data} />
  return (
    <div className={classes.waiting}>
      <Loaded query={query} rows={5}>
        {() => null}
      </Loaded>
    </div>
  )
}
