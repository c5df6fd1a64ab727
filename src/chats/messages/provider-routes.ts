import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Context } from '../../context.ts'
import { createChat } from '../conversations/chat-creation.ts'
import { showTyping } from '../conversations/typing-indicator.ts'
import {
  DeliveryReport,
  History,
  HistoryPage,
  InChat,
  InScope,
  NewChat,
  NoMessages,
  Nothing,
  OfMessage,
  ProviderChat,
  ReactionChange,
  Typing,
} from '../scopes/provider-schemas.ts'
import { reportDelivery } from './delivery-status.ts'
import { readHistory } from './history.ts'
import { react } from './reactions.ts'

const BODY_BYTES = 64 * 1024

const operations = {
  create: {
    operationId: 'chats.create',
    summary: 'Creates a conversation without a message.',
    returns: 'The conversation.',
    tags: ['Chat channels'],
    params: InScope,
    body: NewChat,
    response: { 200: ProviderChat },
  },
  list: {
    operationId: 'chat.history.list',
    summary: 'Lists the messages of a conversation, the latest first.',
    returns: 'One page of messages.',
    tags: ['Chat channels'],
    params: InChat,
    querystring: HistoryPage,
    response: { 200: History, 204: NoMessages },
  },
  reportDelivery: {
    operationId: 'chat.messages.report_delivery',
    summary: 'Reports whether an outgoing message was delivered.',
    returns: 'The status was recorded.',
    tags: ['Chat channels'],
    params: OfMessage,
    body: DeliveryReport,
    response: { 200: Nothing },
  },
  showTyping: {
    operationId: 'chats.show_typing',
    summary: 'Shows that the person on the other side is typing.',
    returns: 'The inbox shows that the person is typing.',
    tags: ['Chat channels'],
    params: InScope,
    body: Typing,
    response: { 204: Nothing },
  },
  react: {
    operationId: 'chats.react',
    summary: 'Adds a reaction to a message, or removes it.',
    returns: 'The reaction was changed.',
    tags: ['Chat channels'],
    params: InScope,
    body: ReactionChange,
    response: { 200: Nothing },
  },
}

/** The other requests of providers (C9), below a scope. The surface has authenticated the caller. */
export function providerRoutes(ctx: Context): FastifyPluginAsyncTypebox {
  return async (scopes) => {
    scopes.post('/:scope_id/chats', { bodyLimit: BODY_BYTES, schema: operations.create }, ({ chat, body }) =>
      createChat(ctx, chat, body),
    )
    scopes.get(
      '/:scope_id/chats/:conversation_id/history',
      { schema: operations.list },
      async ({ chat, params, query }, reply) => {
        const messages = await readHistory(ctx, chat, params.conversation_id, query)
        return messages.length > 0 ? { messages } : reply.code(204).send()
      },
    )
    scopes.post(
      '/:scope_id/:msgid/delivery_status',
      { bodyLimit: BODY_BYTES, schema: operations.reportDelivery },
      async ({ chat, params, body }, reply) => {
        await reportDelivery(ctx, chat, params.msgid, body)
        return reply.code(200).send()
      },
    )
    scopes.post(
      '/:scope_id/typing',
      { bodyLimit: BODY_BYTES, schema: operations.showTyping },
      async ({ chat, body }, reply) => {
        await showTyping(ctx, chat, body)
        return reply.code(204).send()
      },
    )
    scopes.post(
      '/:scope_id/react',
      { bodyLimit: BODY_BYTES, schema: operations.react },
      async ({ chat, body }, reply) => {
        await react(ctx, chat, body)
        return reply.code(200).send()
      },
    )
  }
}
