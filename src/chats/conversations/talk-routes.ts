import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { ById } from '../../accounts/schemas.ts'
import type { Context } from '../../context.ts'
import { baseOf } from '../../http/paging.ts'
import { Nothing } from '../messages/provider-schemas.ts'
import { CloseTalk, Talk } from './talk-schemas.ts'
import { closeTalk, readTalk } from './talks.ts'

/** `/talks`: the pieces of conversations (V7). */
export function talkRoutes(ctx: Context): FastifyPluginAsyncTypebox {
  return async (v4) => {
    const base = baseOf(v4)
    v4.get('/talks/:id', { schema: { params: ById, response: { 200: Talk } } }, (request) =>
      readTalk(ctx, request.actor, request.params.id, base(request)),
    )
    v4.post(
      '/talks/:id/close',
      {
        schema: {
          params: ById,
          body: Type.Union([CloseTalk, Type.Null()]),
          response: { 202: Nothing },
        },
      },
      async ({ actor, params }, reply) => {
        await closeTalk(ctx, actor, params.id)
        return reply.code(202).send()
      },
    )
  }
}
