import { useQuery } from '@tanstack/react-query'
import { type Chat, chatKeys, chatOptions } from '../../data/chats.ts'
import { queryClient } from '../../data/query-client.ts'
import { type List, rowsOf } from '../../data/row-lists.ts'

/** Reads a conversation. While it loads, the result is the row of the list. */
export const useListedChat = (id: string | undefined) =>
  useQuery({ ...chatOptions(id ?? ''), enabled: id !== undefined, placeholderData: () => listed(id) })

function listed(id: string | undefined): Chat | undefined {
  const lists = queryClient.getQueriesData<List<Chat>>({ queryKey: chatKeys.lists })
  const chats = lists.flatMap(([, list]) => rowsOf(list))
  return chats.find((chat) => chat.id === id)
}
