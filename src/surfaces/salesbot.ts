import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { LegacyRuns } from '../chats/bots/bot-schemas.ts'
import { runBots } from '../chats/chats.ts'
import type { Context } from '../context.ts'
import { originOf } from '../http/paging.ts'
import { notFoundHandler } from '../http/problem.ts'
import { requireBearer } from './bearer.ts'

/** `/api/v2`: the address at which older clients run bots (docs/wire/bots.md#calls). Refusals are those of v4. */
export function salesbotSurface(ctx: Context): FastifyPluginAsyncTypebox {
  return async (v2) => {
    v2.alikeBelow.push(`${v2.prefix}/`)
    v2.decorateRequest('actor')
    v2.decorateRequest('renewActor')
    v2.addHook('onRequest', requireBearer(ctx))
    v2.post('/salesbot/run', { schema: { body: LegacyRuns } }, async (request, reply) => {
      const { actor, body } = request
      await runBots(ctx, actor, Array.isArray(body) ? body : [body])
      const href = originOf(request) + request.url
      return reply.code(202).send({ success: true, _links: { self: { href, method: 'post' } } })
    })
    // Without a token, callers must not learn which addresses exist.
    v2.all('/*', notFoundHandler)
  }
}
