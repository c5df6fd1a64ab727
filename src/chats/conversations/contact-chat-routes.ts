import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Context } from '../../context.ts'
import { ContactChats, ContactChatsQuery, NewContactChats } from './contact-chat-schemas.ts'
import { linkChats, listContactChats } from './contact-chats.ts'

/** `/contacts/chats`: which contact a chat belongs to (C13). */
export function contactChatRoutes(ctx: Context): FastifyPluginAsyncTypebox {
  return async (v4) => {
    v4.get(
      '/contacts/chats',
      { schema: { querystring: ContactChatsQuery, response: { 200: ContactChats } } },
      ({ actor, query }) => listContactChats(ctx, actor, query),
    )
    v4.post(
      '/contacts/chats',
      { schema: { body: NewContactChats, response: { 200: ContactChats } } },
      ({ actor, body }) => linkChats(ctx, actor, body),
    )
  }
}
