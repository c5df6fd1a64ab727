import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { requirePaid } from '../../accounts/accounts.ts'
import { ById } from '../../accounts/members/schemas.ts'
import type { Context } from '../../context.ts'
import type { RequestOf } from '../../http/operation.ts'
import { filterOf, type QueryValue } from '../../http/queries/bracket-query.ts'
import { keysetPage, originOf, pageOf, positionOf } from '../../http/queries/paging.ts'
import { spans } from '../../http/queries/query-parameters.ts'
import { timesOf } from '../../http/queries/query-values.ts'
import { chatReader } from '../conversations/chat-rights.ts'
import { visibleTalk } from '../conversations/talks.ts'
import {
  NewTalkMessage,
  SentTalkMessage,
  TalkMessagePage,
  TalkMessagesQuery,
} from './talk-message-schemas.ts'
import { readTalkMessages, sendInTalk, showTalkMessages } from './talk-messages.ts'

const operations = {
  list: {
    operationId: 'talk.messages.list',
    summary: 'Lists the messages of one talk, the latest first, one page at a time.',
    returns: 'One page of messages.',
    tags: ['Chats'],
    params: ById,
    parameters: spans('created_at'),
    querystring: TalkMessagesQuery,
    response: { 200: TalkMessagePage },
  },
  send: {
    operationId: 'talks.send_message',
    summary: 'Sends a text or a file to the other side of one open talk.',
    description:
      'It takes a `text`, an `attachment`, or both. The attachment names a file of the account by its `drive_uuid`, ' +
      'and one of its versions. The provider gets a link to it that is valid for three months.',
    returns: 'The id of the new message.',
    tags: ['Chats'],
    params: ById,
    body: NewTalkMessage,
    response: { 202: SentTalkMessage },
    otherResponses: { 422: { description: 'The talk is closed.', problem: true as const } },
  },
}

/** The longest message with every character escaped. */
const MESSAGE_BODY = 256 * 1024

/** The messages of talks. The permission `crm` covers them (C15). */
export function talkMessageRoutes(ctx: Context): FastifyPluginAsyncTypebox {
  return async (v4) => {
    v4.get('/talks/:id/messages', { schema: operations.list }, (request) => list(ctx, request))
    v4.post(
      '/talks/:id/send_message',
      { bodyLimit: MESSAGE_BODY, schema: operations.send },
      async ({ actor, params, body }, reply) =>
        reply.code(202).send({ id: await sendInTalk(ctx, actor, params.id, body) }),
    )
  }
}

async function list(ctx: Context, request: RequestOf<typeof operations.list>) {
  const { actor, params, query } = request
  requirePaid(ctx, actor)
  const { talk } = await visibleTalk(ctx.db, await chatReader(ctx.db, actor), params.id)
  const page = pageOf(query)
  const span = timesOf('created_at', filterOf(query as { filter?: QueryValue }, 'created_at') ?? '')
  const { rows, next } = await readTalkMessages(ctx, talk, span, page, positionOf(query))
  const messages = await showTalkMessages(ctx, actor.account_id, rows, originOf(request))
  return { ...keysetPage(request, page, next), _embedded: { messages } }
}
