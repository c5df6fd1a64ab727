import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Context } from '../../context.ts'
import { originOf } from '../../http/queries/paging.ts'
import { runBots } from './bot-runs.ts'
import { LegacyRuns } from './bot-schemas.ts'

const operations = {
  run: {
    operationId: 'legacy.salesbot.run',
    summary: 'Runs bots, as older clients write it.',
    returns: 'The bots were started.',
    tags: ['Legacy'],
    body: LegacyRuns,
    response: {
      202: Type.Object({
        success: Type.Boolean({ description: 'Always true.' }),
        _links: Type.Object({ self: Type.Object({ href: Type.String(), method: Type.String() }) }),
      }),
    },
  },
}

/** `/api/v2/salesbot/run`: the address at which older clients run bots (docs/wire/bots.md#calls). */
export function salesbotRoutes(ctx: Context): FastifyPluginAsyncTypebox {
  return async (v2) => {
    v2.post('/salesbot/run', { schema: operations.run }, async (request, reply) => {
      const { actor, body } = request
      await runBots(ctx, actor, Array.isArray(body) ? body : [body])
      const href = originOf(request) + request.url
      return reply.code(202).send({ success: true, _links: { self: { href, method: 'post' } } })
    })
  }
}
