import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Context } from '../context.ts'
import { changePaidUntil } from './account-settings.ts'
import { requireAdmin } from './actor.ts'

/**
 * `/web/account/paid`: makes the account unpaid and paid again, so that the 402 of an integration can be tried out. In
 * `patchbay dev` alone; elsewhere it is the operator's (`patchbay account unpaid`).
 */
export function paidRoutes(ctx: Context): FastifyPluginAsyncTypebox {
  return async (web) => {
    if (ctx.config.mode !== 'dev') return
    web.put(
      '/account/paid',
      { schema: { body: Type.Object({ is_paid: Type.Boolean() }) } },
      async ({ actor, body }, reply) => {
        requireAdmin(actor)
        await changePaidUntil(ctx, actor, body.is_paid ? null : ctx.now())
        return reply.code(204).send()
      },
    )
  }
}
