import type { InfiniteData } from '@tanstack/react-query'
import {
  type Chat,
  type ChatFilter,
  type ChatMessage,
  type ChatPage,
  chatKeys,
  chatOptions,
  type MessagePage,
  messagesOptions,
  newestMessages,
} from './chats.ts'
import { request } from '../api/client.ts'
import { Problem } from '../api/problem.ts'
import { queryClient } from './query-client.ts'

type Lists = InfiniteData<ChatPage, string | undefined>
type Thread = InfiniteData<MessagePage, string | undefined>

const withChats = (page: ChatPage, chats: Chat[]): ChatPage => ({ ...page, _embedded: { chats } })
const withMessages = (page: MessagePage, messages: ChatMessage[]): MessagePage => ({
  ...page,
  _embedded: { messages },
})

const states: Record<NonNullable<ChatFilter['state']>, (chat: Chat) => boolean> = {
  unread: (chat) => !chat.is_read,
  open: (chat) => chat.is_in_work,
  closed: (chat) => !chat.is_in_work,
}
/** What was searched for only the server can say. */
const fits = (chat: Chat, { state, channel, query, contact, lead }: ChatFilter) =>
  !query &&
  (!state || states[state](chat)) &&
  (!channel || chat.channel.id === channel) &&
  (!contact || String(chat._embedded.contact?.id) === contact) &&
  (!lead || String(chat._embedded.lead?.id) === lead)

/**
 * A conversation as it now is, in every list that holds it or ought to: at the place of its last message. One that does
 * not fit its list any more stays until the list is asked for anew, so that nothing is taken away from under the reader.
 */
export function keepChat(chat: Chat): void {
  queryClient.setQueryData(chatOptions(chat.id).queryKey, chat)
  for (const [key, list] of queryClient.getQueriesData<Lists>({ queryKey: chatKeys.lists })) {
    if (!list) continue
    const isThere = list.pages.some(({ _embedded }) => _embedded.chats.some(({ id }) => id === chat.id))
    if (isThere || fits(chat, key[2] as ChatFilter)) queryClient.setQueryData(key, placed(list, chat))
  }
}

function placed(list: Lists, chat: Chat): Lists {
  const rest = list.pages.map((page) =>
    withChats(
      page,
      page._embedded.chats.filter(({ id }) => id !== chat.id),
    ),
  )
  const at = rest.findIndex(({ _embedded }) =>
    _embedded.chats.some(({ last_message_at }) => last_message_at <= chat.last_message_at),
  )
  const page = rest[at === -1 ? rest.length - 1 : at]
  // Older than everything that was read, in a list that goes on: it comes with its page.
  if (!page || (at === -1 && page._links.next)) return { ...list, pages: rest }
  const older = page._embedded.chats.findIndex(
    ({ last_message_at }) => last_message_at <= chat.last_message_at,
  )
  page._embedded.chats.splice(older === -1 ? page._embedded.chats.length : older, 0, chat)
  return { ...list, pages: rest }
}

function dropChat(id: string): void {
  queryClient.removeQueries({ queryKey: chatOptions(id).queryKey })
  queryClient.setQueriesData<Lists>(
    { queryKey: chatKeys.lists },
    (list) =>
      list && {
        ...list,
        pages: list.pages.map((page) =>
          withChats(
            page,
            page._embedded.chats.filter((chat) => chat.id !== id),
          ),
        ),
      },
  )
}

/** Reads a conversation anew, and the end of its thread where somebody looks at it. */
export async function readChat(id: string): Promise<void> {
  try {
    const [chat] = await Promise.all([request<Chat>('GET', `/web/v4/chats/${id}`), readThread(id)])
    keepChat(chat)
  } catch (error) {
    if (error instanceof Problem && error.status === 404) dropChat(id)
  }
}

async function readThread(id: string): Promise<void> {
  const key = messagesOptions(id).queryKey
  const query = queryClient.getQueryCache().find({ queryKey: key })
  if (!query?.isActive()) return queryClient.invalidateQueries({ queryKey: key })
  const page = await newestMessages(id)
  queryClient.setQueryData<Thread>(key, (thread) => joined(thread, page))
}

/**
 * The thread with its newest page read anew. What was added while that was read stays in front. What lies between, if more
 * was missed than a page holds, is not guessed.
 */
function joined(thread: Thread | undefined, page: MessagePage): Thread {
  const fresh = page._embedded.messages
  const ids = new Set(fresh.map((message) => message.id))
  const known = thread?.pages[0]?._embedded.messages[0]?.position ?? 0
  const [newest, oldest] = [fresh[0]?.position ?? 0, fresh.at(-1)?.position ?? 0]
  if (!thread || oldest > known + 1) return { pages: [page], pageParams: [undefined] }
  const older = thread.pages.map((one) =>
    withMessages(
      one,
      one._embedded.messages.filter((message) => !ids.has(message.id) && message.position < oldest),
    ),
  )
  const [first, ...others] = older
  const start = { ...page, _links: first?._links ?? page._links }
  const added = thread.pages[0]?._embedded.messages.filter(({ position }) => position > newest) ?? []
  return {
    ...thread,
    pages: [withMessages(start, [...added, ...fresh, ...(first?._embedded.messages ?? [])]), ...others],
  }
}

/** A message that was answered to a write, before it comes by the live stream. */
export function keepMessage(message: ChatMessage): void {
  queryClient.setQueryData<Thread>(messagesOptions(message.chat_id).queryKey, (thread) => {
    const [first, ...rest] = thread?.pages ?? []
    if (!thread || !first) return thread
    const { messages } = first._embedded
    const isThere = thread.pages.some(({ _embedded }) =>
      _embedded.messages.some(({ id }) => id === message.id),
    )
    if (!isThere) return { ...thread, pages: [withMessages(first, [message, ...messages]), ...rest] }
    const pages = thread.pages.map((page) =>
      withMessages(
        page,
        page._embedded.messages.map((one) => (one.id === message.id ? message : one)),
      ),
    )
    return { ...thread, pages }
  })
}
