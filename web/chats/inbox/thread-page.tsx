import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { type Chat, chatKeys, chatOptions } from '../../data/chats.ts'
import { queryClient } from '../../data/query-client.ts'
import { type List, rowsOf } from '../../data/row-lists.ts'
import { Loaded } from '../../parts/layout/loaded.tsx'
import { Conversation } from './conversation.tsx'
import classes from './thread.module.css'

const route = getRouteApi('/shell/inbox/$chatId')

/** A conversation; shows the data from the list while it loads. */
export function ThreadPage() {
  const { chatId } = route.useParams()
  const query = useQuery({ ...chatOptions(chatId), placeholderData: () => listed(chatId) })
  if (query.data) return <Conversation key={chatId} chat={query.data} />
  return (
    <div className={classes.waiting}>
      <Loaded query={query} rows={5}>
        {() => null}
      </Loaded>
    </div>
  )
}

function listed(id: string): Chat | undefined {
  const lists = queryClient.getQueriesData<List<Chat>>({ queryKey: chatKeys.lists })
  const chats = lists.flatMap(([, list]) => rowsOf(list))
  return chats.find((chat) => chat.id === id)
}
