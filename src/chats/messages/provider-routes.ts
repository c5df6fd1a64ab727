import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Context } from '../../context.ts'
import { createChat } from '../conversations/chat-creation.ts'
import { showTyping } from '../conversations/typing-indicator.ts'
import { reportDelivery } from './delivery-status.ts'
import { readHistory } from './history.ts'
import {
  DeliveryReport,
  History,
  HistoryPage,
  InChat,
  InScope,
  NewChat,
  Nothing,
  OfMessage,
  ProviderChat,
  ReactionChange,
  Typing,
} from './provider-schemas.ts'
import { react } from './reactions.ts'

const BODY_BYTES = 64 * 1024

/** What providers call beside the push (C9), below a scope; the surface has proved who calls. */
export function providerRoutes(ctx: Context): FastifyPluginAsyncTypebox {
  return async (scopes) => {
    scopes.post(
      '/:scope_id/chats',
      {
        bodyLimit: BODY_BYTES,
        schema: { params: InScope, body: NewChat, response: { 200: ProviderChat } },
      },
      ({ chat, body }) => createChat(ctx, chat, body),
    )
    scopes.get(
      '/:scope_id/chats/:conversation_id/history',
      { schema: { params: InChat, querystring: HistoryPage, response: { 200: History, 204: Nothing } } },
      async ({ chat, params, query }, reply) => {
        const messages = await readHistory(ctx, chat, params.conversation_id, query)
        return messages.length > 0 ? { messages } : reply.code(204).send()
      },
    )
    scopes.post(
      '/:scope_id/:msgid/delivery_status',
      {
        bodyLimit: BODY_BYTES,
        schema: { params: OfMessage, body: DeliveryReport, response: { 200: Nothing } },
      },
      async ({ chat, params, body }, reply) => {
        await reportDelivery(ctx, chat, params.msgid, body)
        return reply.code(200).send()
      },
    )
    scopes.post(
      '/:scope_id/typing',
      { bodyLimit: BODY_BYTES, schema: { params: InScope, body: Typing, response: { 204: Nothing } } },
      async ({ chat, body }, reply) => {
        await showTyping(ctx, chat, body)
        return reply.code(204).send()
      },
    )
    scopes.post(
      '/:scope_id/react',
      {
        bodyLimit: BODY_BYTES,
        schema: { params: InScope, body: ReactionChange, response: { 200: Nothing } },
      },
      async ({ chat, body }, reply) => {
        await react(ctx, chat, body)
        return reply.code(200).send()
      },
    )
  }
}
