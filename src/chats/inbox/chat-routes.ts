import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { asksForIntegration, requirePaid } from '../../accounts/accounts.ts'
import type { Context } from '../../context.ts'
import { mount } from '../../http/mount.ts'
import type { RequestOf } from '../../http/operation.ts'
import { baseOf, keysetPage, originOf, pageOf } from '../../http/queries/paging.ts'
import { anyText, ids, one, withAny } from '../../http/queries/query-parameters.ts'
import { type ChatReader, chatReader, visibleChat } from '../conversations/chat-rights.ts'
import { messagesBefore } from '../messages/message-queries.ts'
import { ChatMessage } from '../messages/message-schemas.ts'
import { showMessages } from '../messages/message-view.ts'
import { type ChatsAsked, listChats } from './chat-list.ts'
import {
  Attempts,
  ByChat,
  ByMessage,
  Chat,
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

/** The longest message with every character escaped. */
const MESSAGE_BODY = 256 * 1024

const chatFilters = [
  ...anyText('channel_id', 'Ids of channels, ten at most.'),
  ...ids('contact_id', 'lead_id'),
  ...one(
    'filter[state]',
    { type: 'string', enum: ['unread', 'open', 'closed'] },
    'Chats with unread messages, with an open talk, or without one.',
  ),
  ...one(
    'query',
    { type: 'string' },
    'The first letters of words in the name, the telephone number or the e-mail address of the contact.',
  ),
]

const operations = {
  list: {
    operationId: 'chats.list',
    summary: 'Lists chats, the latest activity first, one page at a time, or streams their changes.',
    description:
      'With `Accept: text/event-stream` it is a stream of changes: `event: chat`, with the id of the chat and its version. ' +
      'It resumes after `Last-Event-ID`, and can send a change twice.',
    returns: 'One page of chats.',
    tags: ['Chats'],
    parameters: chatFilters,
    requestHeaders: { 'Last-Event-ID': 'The event after which a stream resumes.' },
    exports: { 'text/event-stream': 'Chats as they change, one event each.' },
    querystring: ChatsQuery,
    response: { 200: ChatPage },
  },
  get: {
    operationId: 'chats.get',
    summary: 'Shows one chat.',
    returns: 'The chat.',
    tags: ['Chats'],
    params: ByChat,
    response: { 200: Chat },
  },
  read: {
    operationId: 'chats.read',
    summary: 'Marks everything in one chat as read.',
    returns: 'The chat without unread messages.',
    tags: ['Chats'],
    params: ByChat,
    response: { 200: Chat },
  },
  messages: {
    operationId: 'chat.messages.list',
    summary: 'Lists the messages of one chat, the latest first, one page at a time.',
    returns: 'One page of messages.',
    tags: ['Chats'],
    parameters: withAny('integration'),
    params: ByChat,
    querystring: MessagesQuery,
    response: { 200: MessagePage },
  },
  create: {
    operationId: 'chat.messages.create',
    summary: 'Sends a text, a picture or a file to the other side of one chat.',
    returns: 'The new message.',
    tags: ['Chats'],
    params: ByChat,
    body: NewMessage,
    response: { 200: ChatMessage },
  },
  sendAgain: {
    operationId: 'chat.messages.send_again',
    summary: 'Sends one message again after its delivery has failed.',
    returns: 'The message.',
    tags: ['Chats'],
    params: ByMessage,
    response: { 200: ChatMessage },
  },
  attempts: {
    operationId: 'chat.message.attempts.list',
    summary: 'Lists the attempts to deliver one message.',
    returns: 'The attempts.',
    tags: ['Chats'],
    params: ByMessage,
    response: { 200: Attempts },
  },
}

/** `/chats`: reading and writing (our extension; the platform has it only in its own application). */
export function chatRoutes(ctx: Context): FastifyPluginAsyncTypebox {
  return async (v4) => {
    await mount(v4, listRoutes(ctx))
    await mount(v4, messageRoutes(ctx))
  }
}

/** An unpaid account reads nothing (R22). */
function readerOf(ctx: Context, { actor }: FastifyRequest): Promise<ChatReader> {
  requirePaid(ctx, actor)
  return chatReader(ctx.db, actor)
}

function listRoutes(ctx: Context): FastifyPluginAsyncTypebox {
  return async (v4) => {
    const base = baseOf(v4)
    const stream = sendChanges(ctx, v4)
    const place = (request: FastifyRequest) => ({ origin: originOf(request), base: base(request) })

    v4.get('/chats', { schema: operations.list }, async (request, reply) => {
      const reader = await readerOf(ctx, request)
      if (asksForStream(request)) return stream(request, reply)
      const page = pageOf(request.query)
      const { rows, next } = await listChats(ctx.db, reader, request.query as ChatsAsked, page)
      const chats = await showChats(ctx, reader.access, rows, place(request))
      return { ...keysetPage(request, page, next), _embedded: { chats } }
    })
    v4.get('/chats/:id', { schema: operations.get }, async (request) => {
      const reader = await readerOf(ctx, request)
      const row = await visibleChat(ctx.db, reader, request.params.id.toLowerCase())
      const [chat] = await showChats(ctx, reader.access, [row], place(request))
      return chat as Chat
    })
    v4.post('/chats/:id/read', { schema: operations.read }, async (request) => {
      const row = await markRead(ctx, request.actor, request.params.id.toLowerCase())
      const { access } = await chatReader(ctx.db, request.actor)
      const [chat] = await showChats(ctx, access, [row], place(request))
      return chat as Chat
    })
  }
}

function messageRoutes(ctx: Context): FastifyPluginAsyncTypebox {
  return async (v4) => {
    const base = baseOf(v4)
    const message = '/chats/:id/messages/:message_id'

    v4.get('/chats/:id/messages', { schema: operations.messages }, (request) =>
      listMessages(ctx, request, base(request)),
    )
    v4.post(
      '/chats/:id/messages',
      { bodyLimit: MESSAGE_BODY, schema: operations.create },
      async (request) => {
        const { actor, params, body } = request
        return shown(ctx, request, await writeMessage(ctx, actor, params.id.toLowerCase(), body))
      },
    )
    v4.post(`${message}/send_again`, { schema: operations.sendAgain }, async (request) =>
      shown(ctx, request, await sendMessageAgain(ctx, request.actor, ...idsOf(request.params))),
    )
    v4.get(`${message}/attempts`, { schema: operations.attempts }, async (request) => {
      const reader = await readerOf(ctx, request)
      return { _embedded: { attempts: await attemptsOf(ctx.db, reader, ...idsOf(request.params)) } }
    })
  }
}

const idsOf = ({ id, message_id }: { id: string; message_id: string }): [id: string, message_id: string] => [
  id.toLowerCase(),
  message_id.toLowerCase(),
]

async function listMessages(ctx: Context, request: RequestOf<typeof operations.messages>, base: string) {
  const reader = await readerOf(ctx, request)
  const { account_id, id } = await visibleChat(ctx.db, reader, request.params.id.toLowerCase())
  const { limit, before = Number.MAX_SAFE_INTEGER } = request.query
  const slice = { account_id, conversation_id: id, before, limit: limit + 1 }
  const rows = await messagesBefore(ctx.db, slice)
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  const showing = { origin: originOf(request), withIntegrations: asksForIntegration(request.query) }
  const next = `${base}/chats/${id}/messages?limit=${limit}&before=${last?.position}`
  return {
    _links: {
      self: { href: originOf(request) + request.url },
      ...(rows.length > limit && { next: { href: next } }),
    },
    _embedded: { messages: await showMessages(ctx, account_id, page, showing) },
  }
}

async function shown(ctx: Context, request: FastifyRequest, row: Parameters<typeof showMessages>[2][number]) {
  const [message] = await showMessages(ctx, row.account_id, [row], { origin: originOf(request) })
  return message as ChatMessage
}
