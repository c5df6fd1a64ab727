import { infiniteQueryOptions, mutationOptions, queryOptions } from '@tanstack/react-query'
import { type ChatFilter as ApiFilter, type ChatState, fitsChat } from '../../src/chats/inbox/chat-filter.ts'
import type { Chat } from '../../src/chats/inbox/chat-schemas.ts'
import { query, request } from '../api/client.ts'
import { pagesOf, readPage, readRows } from '../api/lists.ts'
import { queryClient } from './query-client.ts'
import { changeLists, insertRow, withoutRows } from './row-lists.ts'

export type { Chat }
/** What the inbox is narrowed to, as its address has it. `contact` and `lead` are ids of cards. */
export interface ChatFilter {
  state?: ChatState | undefined
  channel?: string | undefined
  query?: string | undefined
  contact?: string | undefined
  lead?: string | undefined
}
type Search = ApiFilter & { query: string | undefined }

const v4 = '/web/v4'

export const chatKeys = { all: ['chats'], lists: ['chats', 'list'], unread: ['chats', 'unread'] }

/** The chats of a filter. The chat with the latest message comes first. */
export function chatsOptions({ state, channel, query: words, contact, lead }: ChatFilter) {
  const search: Search = {
    state,
    channel_id: channel,
    contact_id: contact,
    lead_id: lead,
    query: words || undefined,
  }
  const first = query({
    limit: 50,
    'filter[state]': search.state,
    'filter[channel_id]': search.channel_id,
    'filter[contact_id]': search.contact_id,
    'filter[lead_id]': search.lead_id,
    query: search.query,
  })
  return infiniteQueryOptions({
    queryKey: [...chatKeys.lists, search],
    ...pagesOf((next) => readPage<Chat>(next ?? `${v4}/chats${first}`, 'chats')),
  })
}

/** As many unread conversations as one page holds: the navigation shows no more than that. */
export const mostUnread = 99
export const unreadOptions = queryOptions({
  queryKey: chatKeys.unread,
  queryFn: async () => {
    const unread = query({ 'filter[state]': 'unread', limit: 100 })
    return (await readRows<Chat>(`${v4}/chats${unread}`, 'chats')).length
  },
})

/** The conversations that belong to a lead or a contact, the latest first. */
export const chatsOfOptions = (of: 'lead' | 'contact', id: number) =>
  queryOptions({
    queryKey: [...chatKeys.all, 'of', of, id],
    queryFn: () => readRows<Chat>(`${v4}/chats${query({ [`filter[${of}_id]`]: id, limit: 10 })}`, 'chats'),
  })

export const chatOptions = (id: string) =>
  queryOptions({
    queryKey: [...chatKeys.all, 'one', id],
    queryFn: () => request<Chat>('GET', `${v4}/chats/${id}`),
  })

export const markRead = mutationOptions({
  mutationFn: (id: string) => request<Chat>('POST', `${v4}/chats/${id}/read`),
  onSuccess: (chat) => {
    showChat(chat)
    queryClient.invalidateQueries({ queryKey: chatKeys.unread })
  },
})

export const closeTalk = mutationOptions({
  mutationFn: ({ talk_id }: { id: string; talk_id: number }) =>
    request<unknown>('POST', `${v4}/talks/${talk_id}/close`, { force_close: true }),
  onSuccess: (_, { id }) => queryClient.invalidateQueries({ queryKey: chatOptions(id).queryKey }),
})

/**
 * Puts a chat into every list that has it or that it fits, at the place of its last message. A chat stays in a list that it
 * no longer fits until the list is read again, so that it does not disappear while somebody reads it.
 */
export function showChat(chat: Chat): void {
  queryClient.setQueryData(chatOptions(chat.id).queryKey, chat)
  changeLists<Chat>(chatKeys.lists, (list, key) => {
    const { query: words, ...filter } = key[2] as Search
    const rest = withoutRows(list, ({ id }) => id === chat.id)
    // Only the server can evaluate a search by words.
    if (rest === list && (words || !fitsChat(chat, filter))) return list
    return insertRow(rest, chat, ({ last_message_at }) => last_message_at <= chat.last_message_at)
  })
}

/** Removes a chat that no longer exists, or that the reader may no longer see. */
export function hideChat(id: string): void {
  queryClient.removeQueries({ queryKey: chatOptions(id).queryKey })
  changeLists<Chat>(chatKeys.lists, (list) => withoutRows(list, (chat) => chat.id === id))
}
