import { infiniteQueryOptions, mutationOptions, queryOptions } from '@tanstack/react-query'
import type { Static } from 'typebox'
import type { Attempts } from '../../src/chats/inbox/chat-schemas.ts'
import type { ChatMessage } from '../../src/chats/messages/message-schemas.ts'
import { query, request } from '../api/client.ts'
import { type Page, pagesOf, readPage, readRows } from '../api/lists.ts'
import { Problem } from '../api/problem.ts'
import { type Chat, chatKeys, hideChat, showChat } from './chats.ts'
import { queryClient } from './query-client.ts'
import { type List, mapRows, rowsOf, withoutRows } from './row-lists.ts'
import { type NewRow, rowWrites, useNewRows, writesAnswered } from './writes.ts'

export type { ChatMessage }
export type Attempt = Static<typeof Attempts>['_embedded']['attempts'][number]

const path = (chat_id: string) => `/web/v4/chats/${chat_id}/messages`
const writesOf = (chat_id: string) => ['message', chat_id]

/** The messages of a chat. The newest message comes first. */
export const messagesOptions = (chat_id: string) =>
  infiniteQueryOptions({
    queryKey: [...chatKeys.all, 'messages', chat_id],
    ...pagesOf((next) =>
      next === undefined ? readNewest(chat_id) : readPage<ChatMessage>(next, 'messages'),
    ),
  })

async function readNewest(chat_id: string): Promise<Page<ChatMessage>> {
  await writesAnswered(writesOf(chat_id))
  return readPage<ChatMessage>(`${path(chat_id)}${query({ limit: 50 })}`, 'messages')
}

export const attemptsOptions = ({ id, chat_id, attempts, state }: ChatMessage) =>
  queryOptions({
    queryKey: [...chatKeys.all, 'attempts', id, attempts, state],
    queryFn: () => readRows<Attempt>(`${path(chat_id)}/${id}/attempts`, 'attempts'),
  })

/** A message between the composer and the server. */
export interface NewMessage extends NewRow {
  chat_id: string
  text: string
}

/** Messages of one chat are sent in order. A refused message goes to `onRefused`. */
export const sendMessage = (chat_id: string, onRefused: (error: Error, message: NewMessage) => void) =>
  rowWrites<NewMessage, ChatMessage>({
    place: writesOf(chat_id),
    post: ({ key, text }, file_uuid) =>
      request('POST', path(chat_id), { ...(text && { text }), ...(file_uuid && { file_uuid }) }, key),
    idOf: ({ id }) => id,
    onStored: (message) => {
      showMessage(message)
      queryClient.invalidateQueries({ queryKey: chatKeys.unread })
    },
    onRefused,
  })

/** The messages that the server has not confirmed. A confirmed message is in the thread at once. */
export const useSending = (chat_id: string): NewMessage[] =>
  useNewRows<NewMessage>(writesOf(chat_id), () => true)

export const sendAgain = mutationOptions({
  mutationFn: ({ chat_id, id }: Pick<ChatMessage, 'chat_id' | 'id'>) =>
    request<ChatMessage>('POST', `${path(chat_id)}/${id}/send_again`),
  onSuccess: (message) => showMessage(message),
})

/** Shows a message from the response to a write, before the live stream delivers it. */
function showMessage(message: ChatMessage): void {
  queryClient.setQueryData<List<ChatMessage>>(messagesOptions(message.chat_id).queryKey, (thread) => {
    const [first, ...rest] = thread?.pages ?? []
    if (!thread || !first) return thread
    if (rowsOf(thread).some(({ id }) => id === message.id))
      return mapRows(thread, (one) => (one.id === message.id ? message : one))
    return { ...thread, pages: [{ ...first, rows: [message, ...first.rows] }, ...rest] }
  })
}

/** Reads a chat again, and its newest messages while somebody looks at them. */
export async function readChat(id: string): Promise<void> {
  try {
    const [chat] = await Promise.all([request<Chat>('GET', `/web/v4/chats/${id}`), readThread(id)])
    showChat(chat)
  } catch (error) {
    if (error instanceof Problem && error.status === 404) hideChat(id)
  }
}

async function readThread(chat_id: string): Promise<void> {
  const { queryKey } = messagesOptions(chat_id)
  if (!queryClient.getQueryCache().find({ queryKey })?.isActive())
    return queryClient.invalidateQueries({ queryKey })
  const page = await readNewest(chat_id)
  queryClient.setQueryData<List<ChatMessage>>(queryKey, (thread) => withNewest(thread, page))
}

/**
 * The thread with its newest page read again. Messages that were added during the read stay in front. If the page and the
 * thread do not meet, the thread begins anew with the page.
 */
function withNewest(thread: List<ChatMessage> | undefined, page: Page<ChatMessage>): List<ChatMessage> {
  const known = rowsOf(thread)[0]?.position ?? 0
  const [newest, oldest] = [page.rows[0]?.position ?? 0, page.rows.at(-1)?.position ?? 0]
  if (!thread || oldest > known + 1) return { pages: [page], pageParams: [undefined] }
  const added = rowsOf(thread).filter(({ position }) => position > newest)
  const [first, ...older] = withoutRows(thread, ({ position }) => position >= oldest).pages
  const next = first ? first.next : page.next
  return { ...thread, pages: [{ rows: [...added, ...page.rows, ...(first?.rows ?? [])], next }, ...older] }
}
