import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { requirePaid } from '../accounts/accounts.ts'
import { ById } from '../accounts/members/schemas.ts'
import type { Context } from '../context.ts'
import { addView, changeView, listViews, removeView } from './saved-views.ts'
import { NewView, View, ViewList, ViewPatch } from './schemas.ts'

/** Saved views of lists. Only for the web application, because integrations store their own queries. */
export function savedViewRoutes(ctx: Context): FastifyPluginAsyncTypebox {
  return async (web) => {
    web.get('/views', { schema: { response: { 200: ViewList } } }, async ({ actor }) => {
      requirePaid(ctx, actor)
      return { views: await listViews(ctx, actor) }
    })
    web.post(
      '/views',
      { schema: { repeats: true, body: NewView, response: { 201: View } } },
      async ({ actor, body }, reply) => reply.code(201).send(await addView(ctx, actor, body)),
    )
    web.patch(
      '/views/:id',
      { schema: { params: ById, body: ViewPatch, response: { 200: View } } },
      async ({ actor, params, body }) => changeView(ctx, actor, params.id, body),
    )
    web.delete('/views/:id', { schema: { params: ById } }, async ({ actor, params }, reply) => {
      await removeView(ctx, actor, params.id)
      return reply.code(204).send()
    })
  }
}
