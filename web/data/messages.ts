import { infiniteQueryOptions, mutationOptions, queryOptions } from '@tanstack/react-query'
import { api, dataOf, type Schemas } from '../api/client.ts'
import { type Page, pagesOf, type Query, readPage, readRows } from '../api/lists.ts'
import { Problem } from '../api/problem.ts'
import { chatKeys, hideChat, showChat } from './chats.ts'
import { type NewRow, rowWrites, useNewRows, writesAnswered } from './new-rows.ts'
import { queryClient } from './query-client.ts'
import { type List, mapRows, rowsOf, withoutRows } from './row-lists.ts'

export type ChatMessage = Schemas['ChatMessage']
export type Attempt = Schemas['DeliveryAttempt']

const writesOf = (chat_id: string) => ['message', chat_id]

/** The messages of a chat, newest first. */
export const messagesOptions = (chat_id: string) =>
  infiniteQueryOptions({
    queryKey: [...chatKeys.all, 'messages', chat_id],
    ...pagesOf((next) => (next === undefined ? readNewest(chat_id) : readMessages(chat_id, next))),
  })

async function readNewest(chat_id: string): Promise<Page<ChatMessage>> {
  await writesAnswered(writesOf(chat_id))
  return readMessages(chat_id, { limit: '50' })
}

const readMessages = (id: string, query: Query) =>
  readPage(
    api.GET('/web/v4/chats/{id}/messages', {
      params: { path: { id }, query: { with: ['integration'], ...query } },
    }),
    ({ messages }) => messages,
  )

export const attemptsOptions = ({ id, chat_id, attempts, state }: ChatMessage) =>
  queryOptions({
    queryKey: [...chatKeys.all, 'attempts', id, attempts, state],
    queryFn: () =>
      readRows(
        api.GET('/web/v4/chats/{id}/messages/{message_id}/attempts', {
          params: { path: { id: chat_id, message_id: id } },
        }),
        ({ attempts }) => attempts,
      ),
  })

/** The template that a text was made from, and that text. */
export interface MadeFrom {
  id: number
  params: { key: string; value: string }[]
  text: string
}

/** A message that the server has not confirmed. */
export interface NewMessage extends NewRow {
  chat_id: string
  text: string
  template?: MadeFrom
}

/** Messages of one chat are sent in order. A refused message goes to `onRefused`. */
export const sendMessage = (chat_id: string, onRefused: (error: Error, message: NewMessage) => void) =>
  rowWrites<NewMessage, ChatMessage>({
    place: writesOf(chat_id),
    post: ({ key, text, template }, file_uuid) =>
      dataOf(
        api.POST('/web/v4/chats/{id}/messages', {
          params: { path: { id: chat_id }, header: { 'Idempotency-Key': key } },
          body: {
            ...(text && { text }),
            ...(file_uuid && { file_uuid }),
            ...(template && { template: { id: template.id, params: template.params } }),
          },
        }),
      ),
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
    dataOf(
      api.POST('/web/v4/chats/{id}/messages/{message_id}/send_again', {
        params: { path: { id: chat_id, message_id: id } },
      }),
    ),
  onSuccess: (message) => showMessage(message),
})

/** The reaction of the person to a message; null removes it. The last one of several wins. */
export const setReaction = ({ id, chat_id }: Pick<ChatMessage, 'chat_id' | 'id'>) =>
  mutationOptions({
    scope: { id: `reaction ${id}` },
    mutationFn: (emoji: string | null) => {
      const params = { path: { id: chat_id, message_id: id } }
      const path = '/web/v4/chats/{id}/messages/{message_id}/reaction'
      const answer =
        emoji === null ? api.DELETE(path, { params }) : api.PUT(path, { params, body: { emoji } })
      return dataOf(answer)
    },
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

/** Reads a chat again, and its newest messages while it is open. */
export async function readChat(id: string): Promise<void> {
  try {
    const [chat] = await Promise.all([
      dataOf(api.GET('/web/v4/chats/{id}', { params: { path: { id } } })),
      readThread(id),
    ])
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
 * Reads the newest page of a thread again. Messages that were added during the read stay in front. If there is a gap
 * between the page and the thread, the thread begins again with the page.
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
