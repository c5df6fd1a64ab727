import { infiniteQueryOptions, mutationOptions, queryOptions } from '@tanstack/react-query'
import { type ChatFilter as ApiFilter, type ChatState, fitsChat } from '../../src/chats/inbox/chat-filter.ts'
import { batchIds } from '../api/batch-ids.ts'
import { api, dataOf, type Schemas } from '../api/client.ts'
import { pagesOf, readPage, readRows } from '../api/lists.ts'
import { queryClient } from './query-client.ts'
import { changeLists, insertRow, type List, rowsOf, withoutRows } from './row-lists.ts'

export type Chat = Schemas['Chat']
/** The filters of the inbox, from the address. `contact` and `lead` are ids of cards. */
export interface ChatFilter {
  state?: ChatState | undefined
  channel?: string | undefined
  query?: string | undefined
  contact?: string | undefined
  lead?: string | undefined
}

/** The name of the customer: that of the contact, by which a search finds the chat, or else what the channel knows. */
export function chatName({ sender, channel, _embedded: { contact } }: Chat): string {
  const known = [contact?.name, sender.name, sender.phone, sender.email]
  return known.find((name) => name?.trim()) ?? channel.name
}

type Search = ApiFilter & { query: string | undefined }

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
  const first = {
    limit: 50,
    'filter[state]': search.state,
    'filter[channel_id]': only(search.channel_id),
    'filter[contact_id]': only(search.contact_id)?.map(Number),
    'filter[lead_id]': only(search.lead_id)?.map(Number),
    query: search.query,
  }
  return infiniteQueryOptions({
    queryKey: [...chatKeys.lists, search],
    ...pagesOf((next) =>
      readPage(api.GET('/web/v4/chats', { params: { query: next ?? first } }), ({ chats }) => chats),
    ),
  })
}

const only = (value: string | undefined) => (value === undefined ? undefined : [value])

/** The navigation counts at most one page of unread conversations. */
export const mostUnread = 99
export const unreadOptions = queryOptions({
  queryKey: chatKeys.unread,
  queryFn: async () => {
    const unread = { 'filter[state]': 'unread', limit: 100 } as const
    const rows = await readRows(api.GET('/web/v4/chats', { params: { query: unread } }), ({ chats }) => chats)
    return rows.length
  },
})

/** The conversations of a lead or a contact, latest first. */
export const chatsOfOptions = (of: 'lead' | 'contact', id: number) =>
  queryOptions({
    queryKey: [...chatKeys.all, 'of', of, id],
    queryFn: () =>
      readRows(
        api.GET('/web/v4/chats', { params: { query: { [`filter[${of}_id]`]: [id], limit: 10 } } }),
        ({ chats }) => chats,
      ),
  })

export const chatOptions = (id: string) =>
  queryOptions({
    queryKey: [...chatKeys.all, 'one', id],
    queryFn: () => dataOf(api.GET('/web/v4/chats/{id}', { params: { path: { id } } })),
  })

/** The log names a talk in each event of a message. */
const talkOf = batchIds(
  (ids: number[]) =>
    readRows(
      api.GET('/web/v4/talks', { params: { query: { 'filter[talk_id]': ids, limit: ids.length } } }),
      ({ talks }) => talks,
    ),
  ({ talk_id }) => talk_id,
)

/** The conversation of a talk; null if its reader does not see it. */
export const talkOptions = (talk_id: number) =>
  queryOptions({
    queryKey: ['talk', talk_id],
    queryFn: () => talkOf(talk_id),
    staleTime: 600_000,
  })

export const markRead = mutationOptions({
  mutationFn: (id: string) => dataOf(api.POST('/web/v4/chats/{id}/read', { params: { path: { id } } })),
  onSuccess: (chat) => {
    showChat(chat)
    queryClient.invalidateQueries({ queryKey: chatKeys.unread })
  },
})

export const closeTalk = mutationOptions({
  mutationFn: ({ talk_id }: { id: string; talk_id: number }) =>
    api.POST('/web/v4/talks/{id}/close', { params: { path: { id: talk_id } }, body: { force_close: true } }),
  onSuccess: (_, { id }) => queryClient.invalidateQueries({ queryKey: chatOptions(id).queryKey }),
})

/** How long the provider shows that somebody is typing, in milliseconds. */
const TYPING_MS = 5_000
let typed: { chat_id: string; until: number } | undefined

/** Tells the provider that the person is typing, at most once while it shows this. Nobody waits for the answer. */
export function reportTyping({ id, channel }: Pick<Chat, 'id' | 'channel'>): void {
  if (!channel.has_actions || (typed?.chat_id === id && Date.now() < typed.until)) return
  typed = { chat_id: id, until: Date.now() + TYPING_MS }
  api.POST('/web/v4/chats/{id}/typing', { params: { path: { id } } }).catch(() => {})
}

/**
 * Puts a chat into every list that has it or that it fits, at the place of its last message. A chat stays in a list that it
 * no longer fits until the list is read again, so that it does not disappear while somebody reads it. Where a later version
 * is known, it stays.
 */
export function showChat(chat: Chat): void {
  queryClient.setQueryData(chatOptions(chat.id).queryKey, (known) =>
    known && known.version > chat.version ? known : chat,
  )
  changeLists<Chat>(chatKeys.lists, (list, key) => {
    const { query: words, ...filter } = key[2] as Search
    if (rowsOf(list).some(({ id, version }) => id === chat.id && version > chat.version)) return list
    const rest = withoutRows(list, ({ id }) => id === chat.id)
    // Only the server can evaluate a search by words.
    if (rest === list && (words || !fitsChat(chat, filter))) return list
    return insertRow(rest, chat, ({ last_message_at }) => last_message_at <= chat.last_message_at)
  })
}

/** The chats that the page has, in its lists or alone. */
export function knownChats(): Chat[] {
  const lists = queryClient.getQueriesData<List<Chat>>({ queryKey: chatKeys.lists })
  const single = queryClient.getQueriesData<Chat>({ queryKey: [...chatKeys.all, 'one'] })
  return [...lists.flatMap(([, list]) => rowsOf(list)), ...single.flatMap(([, chat]) => chat ?? [])]
}

/** Removes a chat that no longer exists, or that the reader may no longer see. */
export function hideChat(id: string): void {
  queryClient.removeQueries({ queryKey: chatOptions(id).queryKey })
  changeLists<Chat>(chatKeys.lists, (list) => withoutRows(list, (chat) => chat.id === id))
}
