import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Context } from '../../context.ts'
import { requireAdmin } from '../members/actor.ts'
import { changePaidUntil } from './account-settings.ts'

/**
 * `/web/account/paid`: sets the account unpaid and paid again, to test how an integration handles 402. Only in
 * `patchbay dev`; otherwise the operator does this with `patchbay account unpaid`.
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
