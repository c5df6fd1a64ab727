import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Context } from '../../context.ts'
import { several } from '../../http/queries/query-parameters.ts'
import { ContactChats, ContactChatsQuery, NewContactChats } from './contact-chat-schemas.ts'
import { linkChats, listContactChats } from './contact-chats.ts'

const operations = {
  list: {
    operationId: 'contacts.chats.list',
    summary: 'Lists the chats of some contacts, or some chats by their ids, each with its contact.',
    description:
      'For administrators. Send exactly one of `contact_id` and `chat_id`, with at most 250 values.',
    returns: 'The chats with their contacts.',
    tags: ['Contacts'],
    parameters: [
      ...several('contact_id', { type: 'array', items: { type: 'integer' } }, 'Ids of contacts.'),
      ...several('chat_id', { type: 'array', items: { type: 'string' } }, 'Ids of chats.'),
    ],
    querystring: ContactChatsQuery,
    response: { 200: ContactChats },
  },
  assign: {
    operationId: 'contacts.chats.assign',
    summary: 'Moves each chat to a contact, all of the batch or none.',
    description:
      'For administrators. The open lead of the chat is linked to the contact; a chat without one gets the newest open lead ' +
      'of the contact. A new talk starts. The id of the talk is the id of the link.',
    returns: 'The chats with their new contacts.',
    tags: ['Contacts'],
    body: NewContactChats,
    response: { 200: ContactChats },
  },
}

/** `/contacts/chats`: which contact a chat belongs to (C13). */
export function contactChatRoutes(ctx: Context): FastifyPluginAsyncTypebox {
  return async (v4) => {
    v4.get('/contacts/chats', { schema: operations.list }, ({ actor, query }) =>
      listContactChats(ctx, actor, query),
    )
    v4.post('/contacts/chats', { schema: operations.assign }, ({ actor, body }) =>
      linkChats(ctx, actor, body),
    )
  }
}
