import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { ById } from '../../accounts/schemas.ts'
import type { Context } from '../../context.ts'
import { baseOf } from '../../http/paging.ts'
import { Nothing } from '../scopes/provider-schemas.ts'
import { CloseTalk, Talk } from './talk-schemas.ts'
import { closeTalk, readTalk } from './talks.ts'

const operations = {
  get: {
    operationId: 'talks.get',
    summary: 'Shows one talk: a part of a chat, from its first message until it is closed.',
    returns: 'The talk.',
    tags: ['Chats'],
    params: ById,
    response: { 200: Talk },
  },
  close: {
    operationId: 'talks.close',
    summary: 'Closes one talk. The next message opens another one.',
    description:
      'A closed talk stays closed. `force_close` changes nothing, because talks are closed without a survey.',
    returns: 'The talk is closed.',
    tags: ['Chats'],
    params: ById,
    body: Type.Union([CloseTalk, Type.Null()]),
    response: { 202: Nothing },
  },
}

/** `/talks`: the pieces of conversations (V7). */
export function talkRoutes(ctx: Context): FastifyPluginAsyncTypebox {
  return async (v4) => {
    const base = baseOf(v4)
    v4.get('/talks/:id', { schema: operations.get }, (request) =>
      readTalk(ctx, request.actor, request.params.id, base(request)),
    )
    v4.post('/talks/:id/close', { schema: operations.close }, async ({ actor, params }, reply) => {
      await closeTalk(ctx, actor, params.id)
      return reply.code(202).send()
    })
  }
}
