import { infiniteQueryOptions, mutationOptions, queryOptions } from '@tanstack/react-query'
import type { Static } from 'typebox'
import type {
  Attempts,
  Chat,
  ChatPage as ChatPageSchema,
  MessagePage as MessagePageSchema,
} from '../../src/chats/inbox/chat-schemas.ts'
import type { ChatMessage } from '../../src/chats/messages/message-schemas.ts'
import { pathOf, query, request } from '../api/client.ts'
import { readPage, readRows } from '../api/lists.ts'
import { queryClient } from './query-client.ts'
import { watchWrite, writeAnswered } from './writes.ts'

export type { Chat, ChatMessage }
export type ChatPage = Static<typeof ChatPageSchema>
export type MessagePage = Static<typeof MessagePageSchema>
export type Attempt = Static<typeof Attempts>['_embedded']['attempts'][number]

type Links = MessagePage['_links']

export const chatStates = ['unread', 'open', 'closed'] as const
export interface ChatFilter {
  state?: (typeof chatStates)[number]
  channel?: string
  query?: string
  /** The card whose conversations they are, by its id. */
  contact?: string
  lead?: string
}

const v4 = '/web/v4'
const next = (last: { _links: Links }) => pathOf(last._links.next)

export const chatKeys = { all: ['chats'], lists: ['chats', 'list'], unread: ['chats', 'unread'] }

/** Conversations, newest activity first. */
export const chatsOptions = ({ state, channel, query: words, contact, lead }: ChatFilter) =>
  infiniteQueryOptions({
    queryKey: [...chatKeys.lists, { state, channel, query: words, contact, lead }],
    queryFn: ({ pageParam }) =>
      readPage<ChatPage>(
        pageParam ??
          `${v4}/chats${query({
            limit: 50,
            'filter[state]': state,
            'filter[channel_id]': channel,
            'filter[contact_id]': contact,
            'filter[lead_id]': lead,
            query: words || undefined,
          })}`,
        'chats',
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: next,
  })

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

/** The end of a conversation, as soon as what this page has written there is answered. */
export async function newestMessages(id: string): Promise<MessagePage> {
  await writeAnswered(id)
  return readPage<MessagePage>(`${v4}/chats/${id}/messages${query({ limit: 50 })}`, 'messages')
}

/** The messages of a conversation, newest first, as pages that go back in time. */
export const messagesOptions = (id: string) =>
  infiniteQueryOptions({
    queryKey: [...chatKeys.all, 'messages', id],
    queryFn: ({ pageParam }) =>
      pageParam === undefined ? newestMessages(id) : readPage<MessagePage>(pageParam, 'messages'),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: next,
  })

export const attemptsOptions = (message: Pick<ChatMessage, 'id' | 'chat_id' | 'attempts' | 'state'>) =>
  queryOptions({
    queryKey: [...chatKeys.all, 'attempts', message.id, message.attempts, message.state],
    queryFn: () =>
      readRows<Attempt>(`${v4}/chats/${message.chat_id}/messages/${message.id}/attempts`, 'attempts'),
  })

export interface NewMessage {
  chat_id: string
  text?: string
  file_uuid?: string
  /** Names the message: sent again under it, it is the same one. */
  key: string
}
export const postMessage = ({ chat_id, key, ...message }: NewMessage) =>
  watchWrite(
    chat_id,
    key,
    request<ChatMessage>('POST', `${v4}/chats/${chat_id}/messages`, message, key),
    ({ id }) => id,
  )

export const markRead = mutationOptions({
  mutationFn: (id: string) => request<Chat>('POST', `${v4}/chats/${id}/read`),
})

export const sendAgain = mutationOptions({
  mutationFn: ({ chat_id, id }: Pick<ChatMessage, 'chat_id' | 'id'>) =>
    request<ChatMessage>('POST', `${v4}/chats/${chat_id}/messages/${id}/send_again`),
})

export const closeTalk = mutationOptions({
  mutationFn: ({ talk_id }: { id: string; talk_id: number }) =>
    request<unknown>('POST', `${v4}/talks/${talk_id}/close`, { force_close: true }),
  onSuccess: (_, { id }) => queryClient.invalidateQueries({ queryKey: chatOptions(id).queryKey }),
})
