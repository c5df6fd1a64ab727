import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ById } from '../../accounts/members/schemas.ts'
import type { Context } from '../../context.ts'
import { self } from '../../http/hal.ts'
import { baseOf } from '../../http/queries/paging.ts'
import { Intent, IntentList, IntentPatch, NewIntent } from './intent-schemas.ts'
import { addIntent, changeIntent, intentView, listIntents, readIntent, removeIntent } from './intents.ts'

const INTENTS = '/chats/intents'
/** Fifty phrases and an answer, in any script. */
const FORM_BYTES = 512 * 1024

const operations = {
  list: {
    operationId: 'chats.intents.list',
    summary: 'Lists the intents of the reply bot.',
    returns: 'The intents.',
    tags: ['Reply bot'],
    response: { 200: IntentList },
  },
  create: {
    operationId: 'chats.intents.create',
    summary: 'Adds an intent. The bot starts to reply when it has its first intent.',
    description:
      'A phrase is recognized if its words are in a text one after the other, in any case and with any accents. ' +
      'The longest phrase wins. Of two equally long phrases, the older intent wins.',
    returns: 'The new intent.',
    tags: ['Reply bot'],
    body: NewIntent,
    response: { 200: Intent },
  },
  get: {
    operationId: 'chats.intents.get',
    summary: 'Shows one intent.',
    returns: 'The intent.',
    tags: ['Reply bot'],
    params: ById,
    response: { 200: Intent },
  },
  update: {
    operationId: 'chats.intents.update',
    summary: 'Changes one intent.',
    returns: 'The intent after the change.',
    tags: ['Reply bot'],
    params: ById,
    body: IntentPatch,
    response: { 200: Intent },
  },
  remove: {
    operationId: 'chats.intents.delete',
    summary: 'Deletes one intent.',
    returns: 'The intent was deleted.',
    tags: ['Reply bot'],
    params: ById,
  },
}

/** The reply bot (C10). The platform has no address for it: this is ours (V8). */
export function intentRoutes(ctx: Context): FastifyPluginAsyncTypebox {
  return async (v4) => {
    const base = baseOf(v4)

    v4.get(INTENTS, { schema: operations.list }, async (request) => {
      const intents = await listIntents(ctx, request.actor)
      return {
        _links: self(`${base(request)}${INTENTS}`),
        _embedded: { intents: intents.map((row) => intentView(row, base(request))) },
      }
    })
    v4.post(INTENTS, { bodyLimit: FORM_BYTES, schema: operations.create }, async (request) =>
      intentView(await addIntent(ctx, request.actor, request.body), base(request)),
    )
    v4.get(`${INTENTS}/:id`, { schema: operations.get }, async (request) =>
      intentView(await readIntent(ctx, request.actor, request.params.id), base(request)),
    )
    v4.patch(`${INTENTS}/:id`, { bodyLimit: FORM_BYTES, schema: operations.update }, async (request) => {
      const { actor, params, body } = request
      return intentView(await changeIntent(ctx, actor, params.id, body), base(request))
    })
    v4.delete(`${INTENTS}/:id`, { schema: operations.remove }, async ({ actor, params }, reply) => {
      await removeIntent(ctx, actor, params.id)
      return reply.code(204).send()
    })
  }
}
