import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import type { Context } from '../../context.ts'
import type { RecordHooks } from '../../entities/entities.ts'
import { listOf, type QueryValue } from '../../http/queries/bracket-query.ts'
import { batchesIn, Items } from '../bodies.ts'
import type { LegacyQuery } from '../list-parameters.ts'
import { asOne, type Batch } from '../requests.ts'
import { LegacyWebhook, listLegacyWebhooks, subscribeLegacy, unsubscribeLegacy } from '../webhooks.ts'
import { readV2Account, V2Account, v2Pipelines } from './account.ts'
import {
  answer,
  Batches,
  BatchesWithDelete,
  itemsOf,
  Links,
  linksById,
  linksTo,
  SET,
  Written,
  withDeleted,
} from './bodies.ts'
import { setV2Fields } from './fields.ts'
import { commentV2Purchases } from './purchases.ts'
import { type Asked, type Done, type Resource, resourcesOf } from './resources.ts'

const BODY_LIMIT = 2 * 1024 * 1024

const listOperation = (path: string, { item, query }: Resource) => ({
  operationId: `second_api.${path}.list`,
  summary: `Lists ${named(path)} in the form of the second API.`,
  description: 'The header `If-Modified-Since` selects what changed since then.',
  returns: `The ${named(path)}.`,
  tags: ['Legacy'],
  querystring: query,
  response: { 200: itemsOf(item) },
  otherResponses: { 204: { description: 'Nothing was found.' } },
})

const setOperation = (path: string, { deletes }: Resource) => ({
  operationId: `second_api.${path}.set`,
  summary: `Adds${deletes ? ', changes and deletes' : ' and changes'} ${named(path)} in the form of the second API.`,
  description: 'The rules are those of the API v4. All items are written, or none.',
  returns: `The ids of the ${named(path)}: the added ones, then the changed ones${deletes ? ', then the deleted ones' : ''}.`,
  tags: ['Legacy'],
  body: deletes ? BatchesWithDelete : Batches,
  response: { 200: itemsOf(Written) },
})

const named = (path: string) => path.replace('_', ' ')

/** The operations of the second API, which translate to the rules of v4 (docs/wire/legacy.md#the-second-api). */
export function secondApiRoutes(
  ctx: Context,
  hooks: Pick<RecordHooks, 'written'>,
): FastifyPluginAsyncTypebox {
  return async (v2) => {
    for (const [path, resource] of Object.entries(resourcesOf(hooks))) {
      v2.get(`/${path}`, { schema: listOperation(path, resource) }, async (request, reply) => {
        const asked: Asked = [request.query as LegacyQuery, request.headers['if-modified-since']]
        return send(reply, answer(path, 'get', await resource.list(ctx, request.actor, ...asked)))
      })
      const schema = setOperation(path, resource)
      v2.post(`/${path}`, { bodyLimit: BODY_LIMIT, schema }, async ({ actor, body }) => {
        const sets = resource.deletes
          ? withDeleted(body, path)
          : { ...batchesIn(body as Record<string, object[]>, path, SET), gone: [] }
        return written(path, await resource.set(ctx, actor, sets), sets.gone) as never
      })
    }
    v2.post('/transactions/comment', { schema: commentOperation }, async ({ actor, body }) => {
      const { update } = batchesIn(body as Record<string, object[]>, 'transactions', ['update'])
      const changed = await asOne(() => commentV2Purchases(ctx, actor, update))
      return written('transactions', { add: [], update: changed }, []) as never
    })
    v2.post('/fields', { schema: fieldsOperation }, async ({ actor, body }) => {
      const sets = batchesIn(body as Record<string, object[]>, 'fields', ['add', 'delete'])
      return answer('fields', 'post', await setV2Fields(ctx, actor, sets))
    })
    settingRoutes(ctx, v2)
  }
}

type Typed = Parameters<FastifyPluginAsyncTypebox>[0]

/** The account, its pipelines and its webhooks. */
function settingRoutes(ctx: Context, v2: Typed): void {
  v2.get('/account', { schema: accountOperation }, ({ actor, query }) =>
    readV2Account(ctx, actor, listOf(query.with as QueryValue | undefined)),
  )
  v2.get('/pipelines', { schema: pipelinesOperation }, async ({ actor, query }) => ({
    _links: linksTo('pipelines'),
    _embedded: { items: await v2Pipelines(ctx, actor, listOf(query.id as QueryValue | undefined)) },
  }))
  v2.get('/webhooks', { schema: webhooksOperation }, async ({ actor }) =>
    answer('webhooks', 'get', await listLegacyWebhooks(ctx, actor)),
  )
  for (const [action, change] of Object.entries({
    subscribe: subscribeLegacy,
    unsubscribe: unsubscribeLegacy,
  })) {
    const path = `webhooks/${action}`
    v2.post(`/${path}`, { schema: subscriptionOperation(action) }, async ({ actor, body }) => {
      const { [action]: batch } = batchesIn(body as Record<string, object[]>, 'webhooks', [action])
      return answer(path, 'post', await change(ctx, actor, batch as Batch)) as never
    })
  }
}

const written = (path: string, { add, update }: Done, gone: readonly number[]) =>
  answer(path, 'post', [
    ...add.map(({ id, request_id }) => ({ id, request_id, _links: linksById(path, id) })),
    ...update.map(({ id, last_modified }) => ({
      id,
      updated_at: last_modified,
      _links: linksById(path, id),
    })),
    ...gone.map((id) => ({ id, _links: linksById(path, id) })),
  ])

/** Sends a list. An empty one is 204, as on the platform. */
export const send = (reply: FastifyReply, body: ReturnType<typeof answer>) =>
  (body._embedded.items.length === 0 ? reply.code(204).send() : reply.send(body)) as never

const commentOperation = {
  operationId: 'second_api.transactions.comment',
  summary: 'Changes the comments of purchases in the form of the second API.',
  returns: 'The ids of the purchases.',
  tags: ['Legacy'],
  body: Type.Object({ update: Type.Optional(Items) }),
  response: { 200: itemsOf(Written) },
}

const fieldsOperation = {
  operationId: 'second_api.fields.set',
  summary: 'Adds and deletes fields of the calling service in the form of the second API.',
  returns: 'The ids of the fields: the added ones, then the deleted ones.',
  tags: ['Legacy'],
  body: Type.Object({ add: Type.Optional(Items), delete: Type.Optional(Items) }),
  response: { 200: itemsOf(Written) },
}

const accountOperation = {
  operationId: 'second_api.account.read',
  summary: 'Reads the account in the form of the second API.',
  returns: 'The account.',
  tags: ['Legacy'],
  querystring: Type.Object({
    with: Type.Optional(
      Type.Unknown({
        description: '`users`, `groups`, `pipelines`, `custom_fields`, `note_types`, `task_types`.',
      }),
    ),
  }),
  response: { 200: V2Account },
}

const pipelinesOperation = {
  operationId: 'second_api.pipelines.list',
  summary: 'Lists pipelines in the form of the second API.',
  returns: 'The pipelines with their stages, by their ids.',
  tags: ['Legacy'],
  querystring: Type.Object({ id: Type.Optional(Type.Unknown({ description: 'An id, or several.' })) }),
  response: {
    200: Type.Object({
      _links: Links,
      _embedded: Type.Object({
        items: Type.Unsafe<object>({ type: 'object', additionalProperties: true }),
      }),
    }),
  },
}

const webhooksOperation = {
  operationId: 'second_api.webhooks.list',
  summary: 'Lists the webhooks of the account in the form of the second API.',
  returns: 'The webhooks.',
  tags: ['Legacy'],
  response: { 200: itemsOf(LegacyWebhook) },
}

const subscriptionOperation = (action: string) => ({
  operationId: `second_api.webhooks.${action}`,
  summary:
    action === 'subscribe'
      ? 'Subscribes addresses to events in the form of the second API.'
      : 'Takes events from addresses in the form of the second API.',
  returns: 'The addresses with their events.',
  tags: ['Legacy'],
  body: Type.Object({ [action]: Type.Optional(Items) }),
  response: {
    200: itemsOf(
      Type.Object({
        url: Type.String(),
        events: Type.Array(Type.String()),
        result: Type.Boolean({ description: 'Always true: all items are written, or none.' }),
      }),
    ),
  },
})
