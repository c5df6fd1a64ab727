import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Context } from '../../context.ts'
import type { ChatMessageRow } from '../../db/tables.ts'
import { originOf } from '../../http/queries/paging.ts'
import { ByChat, ByMessage } from '../inbox/chat-schemas.ts'
import { ChatMessage } from '../messages/message-schemas.ts'
import { showMessages } from '../messages/message-view.ts'
import { Nothing } from '../scopes/provider-schemas.ts'
import { reactAs } from './own-reactions.ts'
import { reportTyping } from './own-typing.ts'

const OwnReaction = Type.Object(
  { emoji: Type.String({ maxLength: 32, pattern: '\\S', description: 'One emoji.' }) },
  { title: 'ChatReaction' },
)

const operations = {
  react: {
    operationId: 'chat.message.reaction.set',
    summary: 'Sets the reaction of the caller to one message.',
    description:
      'Each person has one reaction to a message. The provider gets a callback; one that connected with `hook_api_version` ' +
      'v1 cannot, so it is a conflict.',
    returns: 'The message.',
    tags: ['Chats'],
    params: ByMessage,
    body: OwnReaction,
    response: { 200: ChatMessage },
  },
  unreact: {
    operationId: 'chat.message.reaction.delete',
    summary: 'Removes the reaction of the caller to one message.',
    returns: 'The message.',
    tags: ['Chats'],
    params: ByMessage,
    response: { 200: ChatMessage },
  },
  reportTyping: {
    operationId: 'chats.report_typing',
    summary: 'Tells the provider that the caller is typing in one chat.',
    description:
      'Repeat it while the person is typing: the provider shows it for five seconds, and gets at most one callback in this time. ' +
      'A provider that connected with `hook_api_version` v1 gets none.',
    returns: 'The request was accepted.',
    tags: ['Chats'],
    params: ByChat,
    response: { 204: Nothing },
  },
}

/** Reactions and typing of people (our extension; the platform has it only in its own application). */
export function actionRoutes(ctx: Context): FastifyPluginAsyncTypebox {
  return async (v4) => {
    const reaction = '/chats/:id/messages/:message_id/reaction'
    v4.put(reaction, { schema: operations.react }, async (request) => {
      const { emoji } = request.body
      return shown(ctx, request, await reactAs(ctx, request.actor, namesOf(request.params), emoji))
    })
    v4.delete(reaction, { schema: operations.unreact }, async (request) =>
      shown(ctx, request, await reactAs(ctx, request.actor, namesOf(request.params), null)),
    )
    v4.post('/chats/:id/typing', { schema: operations.reportTyping }, async (request, reply) => {
      await reportTyping(ctx, request.actor, request.params.id.toLowerCase())
      return reply.code(204).send()
    })
  }
}

const namesOf = ({ id, message_id }: { id: string; message_id: string }): [string, string] => [
  id.toLowerCase(),
  message_id.toLowerCase(),
]

async function shown(ctx: Context, request: FastifyRequest, row: ChatMessageRow): Promise<ChatMessage> {
  const [message] = await showMessages(ctx, row.account_id, [row], { origin: originOf(request) })
  return message as ChatMessage
}
