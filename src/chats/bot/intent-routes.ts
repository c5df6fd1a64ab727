import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ById } from '../../accounts/schemas.ts'
import type { Context } from '../../context.ts'
import { self } from '../../http/hal.ts'
import { baseOf } from '../../http/paging.ts'
import { Intent, IntentList, IntentPatch, NewIntent } from './intent-schemas.ts'
import { addIntent, changeIntent, intentView, listIntents, readIntent, removeIntent } from './intents.ts'

const INTENTS = '/chats/intents'
/** Fifty phrases and an answer, in any script. */
const FORM_BYTES = 512 * 1024

/** The reply bot (C10). The platform has no address for it: this is ours (V8). */
export function intentRoutes(ctx: Context): FastifyPluginAsyncTypebox {
  return async (v4) => {
    const base = baseOf(v4)

    v4.get(INTENTS, { schema: { response: { 200: IntentList } } }, async (request) => {
      const intents = await listIntents(ctx, request.actor)
      return {
        _links: self(`${base(request)}${INTENTS}`),
        _embedded: { intents: intents.map((row) => intentView(row, base(request))) },
      }
    })
    v4.post(
      INTENTS,
      { bodyLimit: FORM_BYTES, schema: { body: NewIntent, response: { 200: Intent } } },
      async (request) => intentView(await addIntent(ctx, request.actor, request.body), base(request)),
    )
    v4.get(`${INTENTS}/:id`, { schema: { params: ById, response: { 200: Intent } } }, async (request) =>
      intentView(await readIntent(ctx, request.actor, request.params.id), base(request)),
    )
    v4.patch(
      `${INTENTS}/:id`,
      { bodyLimit: FORM_BYTES, schema: { params: ById, body: IntentPatch, response: { 200: Intent } } },
      async (request) => {
        const { actor, params, body } = request
        return intentView(await changeIntent(ctx, actor, params.id, body), base(request))
      },
    )
    v4.delete(`${INTENTS}/:id`, { schema: { params: ById } }, async ({ actor, params }, reply) => {
      await removeIntent(ctx, actor, params.id)
      return reply.code(204).send()
    })
  }
}
