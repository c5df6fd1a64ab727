import type { FastifyPluginAsync } from 'fastify'
import type { Context } from '../../context.ts'
import type {} from '../scopes/chat-caller.ts'
import type { SourcesOfChats } from '../scopes/sources.ts'
import { describedPush } from './push-description.ts'
import { Pushed } from './push-schemas.ts'
import { receivePush } from './receive.ts'

/** Largest push, in bytes. */
const PUSH_BODY = 262_144

const operations = {
  push: {
    operationId: 'chats.push',
    summary:
      'Pushes a message into a conversation, or edits one. The first message creates the conversation.',
    description:
      'The same `msgid` with the same body gets the same response again, and the message is stored once. ' +
      'In the protocol `live`, `edit_message` changes the text, the file and the delivery status of a message. ' +
      'For a message that the account wrote it sets the delivery status and, with `id` and `msgid`, the id at the provider.',
    returns: 'The message that was received.',
    tags: ['Chat channels'],
    requestBody: { 'application/json': describedPush },
    response: { 200: Pushed },
  },
}

/** Where providers push messages. The chat surface has authenticated the caller. */
export const pushRoutes =
  (ctx: Context, sources: SourcesOfChats): FastifyPluginAsync =>
  async (app) => {
    // The members of a body depend on the protocol of the channel, so `pushMessage` validates it.
    app.post('/:scope_id', { bodyLimit: PUSH_BODY, schema: operations.push }, ({ chat, body }) =>
      receivePush(ctx, sources, chat, body),
    )
  }
