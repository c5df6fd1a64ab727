import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { requireConfirmed } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import { Nothing } from '../http/bodies/empty-lists.ts'
import { changePeriods, previewRetention, readRetention, readSizes, startRetention } from './retention.ts'
import { Forecasts, PeriodsDraft, Retention, Sizes } from './schemas.ts'

/** `/web/retention`: for how long the account keeps what is old, for administrators. */
export function retentionRoutes(ctx: Context): FastifyPluginAsyncTypebox {
  return async (web) => {
    web.get('/retention', { schema: { response: { 200: Retention } } }, ({ actor }) =>
      readRetention(ctx, actor),
    )
    web.patch('/retention', { schema: { body: PeriodsDraft } }, async ({ actor, body, session }, reply) => {
      requireConfirmed(session, ctx.now())
      await changePeriods(ctx, actor, body.days)
      return reply.code(204).send()
    })
    web.post(
      '/retention/forecasts',
      { schema: { body: PeriodsDraft, response: { 200: Forecasts } } },
      async ({ actor, body }) => ({ kinds: await previewRetention(ctx, actor, body.days) }),
    )
    web.post('/retention/runs', async ({ actor, session }, reply) => {
      requireConfirmed(session, ctx.now())
      await startRetention(ctx, actor)
      return reply.code(202).send()
    })
    web.get(
      '/retention/sizes',
      { schema: { response: { 200: Sizes, 204: Nothing } } },
      async ({ actor }, reply) => {
        const sizes = await readSizes(ctx, actor)
        return sizes ?? reply.code(204).send(null)
      },
    )
  }
}
