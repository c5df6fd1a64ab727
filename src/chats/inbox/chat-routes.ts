import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { requirePaid } from '../../accounts/accounts.ts'
import type { Context } from '../../context.ts'
import { baseOf, keysetPage, originOf, pageOf } from '../../http/paging.ts'
import { chatReader, visibleChat } from '../conversations/chat-rights.ts'
import { showMessages } from '../messages/message-view.ts'
import { type ChatsAsked, listChats } from './chat-list.ts'
import { messagesBefore } from './chat-list-queries.ts'
import {
  Attempts,
  ByChat,
  ByMessage,
  Chat,
  ChatMessage,
  ChatPage,
  ChatsQuery,
  MessagePage,
  MessagesQuery,
  NewMessage,
} from './chat-schemas.ts'
import { asksForStream, sendChanges } from './chat-stream-routes.ts'
import { showChats } from './chat-view.ts'
import { attemptsOf } from './delivery-attempts.ts'
import { markRead, sendMessageAgain, writeMessage } from './reply.ts'

/** A message of the most letters, each of them escaped. */
const MESSAGE_BODY = 256 * 1024

/** `/chats`: what people write and read (ours: the platform has it in its own application alone). */
export function chatRoutes(ctx: Context): FastifyPluginAsyncTypebox {
  return async (v4) => {
    const base = baseOf(v4)
    const stream = sendChanges(ctx, v4)
    const place = (request: FastifyRequest) => ({ origin: originOf(request), base: base(request) })
    /** What is read of an account that is not paid: nothing (R22). */
    const readerOf = (request: FastifyRequest) => {
      requirePaid(ctx, request.actor)
      return chatReader(ctx.db, request.actor)
    }
    const shownMessage = async (request: FastifyRequest, row: Parameters<typeof showMessages>[2][number]) => {
      const [message] = await showMessages(ctx, row.account_id, [row], originOf(request))
      return message as ChatMessage
    }

    v4.get(
      '/chats',
      { schema: { querystring: ChatsQuery, response: { 200: ChatPage } } },
      async (request, reply) => {
        const reader = await readerOf(request)
        if (asksForStream(request)) return stream(request, reply)
        const page = pageOf(request.query)
        const { rows, next } = await listChats(ctx.db, reader, request.query as ChatsAsked, page)
        const chats = await showChats(ctx, reader.access, rows, place(request))
        return { ...keysetPage(request, page, next), _embedded: { chats } }
      },
    )
    v4.get('/chats/:id', { schema: { params: ByChat, response: { 200: Chat } } }, async (request) => {
      const reader = await readerOf(request)
      const row = await visibleChat(ctx.db, reader, request.params.id.toLowerCase())
      const [chat] = await showChats(ctx, reader.access, [row], place(request))
      return chat as Chat
    })
    v4.post('/chats/:id/read', { schema: { params: ByChat, response: { 200: Chat } } }, async (request) => {
      const row = await markRead(ctx, request.actor, request.params.id.toLowerCase())
      const { access } = await chatReader(ctx.db, request.actor)
      const [chat] = await showChats(ctx, access, [row], place(request))
      return chat as Chat
    })
    v4.get(
      '/chats/:id/messages',
      { schema: { params: ByChat, querystring: MessagesQuery, response: { 200: MessagePage } } },
      async (request) => {
        const reader = await readerOf(request)
        const { account_id, id } = await visibleChat(ctx.db, reader, request.params.id.toLowerCase())
        const { limit, before = Number.MAX_SAFE_INTEGER } = request.query
        const asked = { account_id, conversation_id: id, before, limit: limit + 1 }
        const rows = await messagesBefore(ctx.db, asked)
        const shown = rows.slice(0, limit)
        const last = shown.at(-1)
        const path = `${base(request)}/chats/${id}/messages`
        return {
          _links: {
            self: { href: originOf(request) + request.url },
            ...(rows.length > limit &&
              last && { next: { href: `${path}?limit=${limit}&before=${last.position}` } }),
          },
          _embedded: { messages: await showMessages(ctx, account_id, shown, originOf(request)) },
        }
      },
    )
    v4.post(
      '/chats/:id/messages',
      {
        bodyLimit: MESSAGE_BODY,
        schema: { params: ByChat, body: NewMessage, response: { 200: ChatMessage } },
      },
      async (request) => {
        const { actor, params, body } = request
        return shownMessage(request, await writeMessage(ctx, actor, params.id.toLowerCase(), body))
      },
    )
    v4.post(
      '/chats/:id/messages/:message_id/send_again',
      { schema: { params: ByMessage, response: { 200: ChatMessage } } },
      async (request) => {
        const { id, message_id } = request.params
        const ids = [id.toLowerCase(), message_id.toLowerCase()] as const
        return shownMessage(request, await sendMessageAgain(ctx, request.actor, ...ids))
      },
    )
    v4.get(
      '/chats/:id/messages/:message_id/attempts',
      { schema: { params: ByMessage, response: { 200: Attempts } } },
      async (request) => {
        const { id, message_id } = request.params
        const ids = [id.toLowerCase(), message_id.toLowerCase()] as const
        return { _embedded: { attempts: await attemptsOf(ctx.db, await readerOf(request), ...ids) } }
      },
    )
  }
}
