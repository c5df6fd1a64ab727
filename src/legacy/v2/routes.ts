import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type TObject, Type } from 'typebox'
import { requirePaid } from '../../accounts/accounts.ts'
import type { Context } from '../../context.ts'
import { findFields } from '../../custom-fields/custom-fields.ts'
import type { RecordHooks } from '../../entities/entities.ts'
import type { Company, Contact, Lead } from '../../entities/records/record-schemas.ts'
import { listOf, type QueryValue } from '../../http/queries/bracket-query.ts'
import { batchesIn, Items } from '../bodies.ts'
import { LegacyQuery } from '../list-parameters.ts'
import { companyNames, findRecords } from '../list-records.ts'
import { addLegacyNotes, editLegacyNotes, listLegacyNotes } from '../notes.ts'
import type { RecordKind } from '../record-drafts.ts'
import { asOne, type Batch } from '../requests.ts'
import { addLegacyTasks, editLegacyTasks, findTasks } from '../tasks.ts'
import { LegacyWebhook, listLegacyWebhooks, subscribeLegacy, unsubscribeLegacy } from '../webhooks.ts'
import { readV2Account, V2Account, v2Pipelines } from './account.ts'
import { answer, Batches, itemsOf, Links, linksById, linksTo, SET, Written } from './bodies.ts'
import {
  companyView,
  contactView,
  type Looked,
  leadView,
  V2Company,
  V2Contact,
  V2Lead,
} from './record-views.ts'
import { setV2Records } from './set-records.ts'
import { noteView, taskView, V2Note, V2Task } from './tasks-and-notes.ts'

const BODY_LIMIT = 2 * 1024 * 1024

const V2Query = Type.Object({
  ...LegacyQuery.properties,
  filter: Type.Optional(
    Type.Unknown({ description: '`date_create` and `date_modify`, with `from` and `to`.' }),
  ),
})
type Asked = [query: LegacyQuery, modified_since: string | undefined]

const listOperation = (path: string, item: TObject) => ({
  operationId: `second_api.${path}.list`,
  summary: `Lists ${path} in the form of the second API.`,
  description: 'The header `If-Modified-Since` selects what changed since then.',
  returns: `The ${path}.`,
  tags: ['Legacy'],
  querystring: V2Query,
  response: { 200: itemsOf(item) },
  otherResponses: { 204: { description: 'Nothing was found.' } },
})

const setOperation = (path: string) => ({
  operationId: `second_api.${path}.set`,
  summary: `Adds and changes ${path} in the form of the second API.`,
  description: 'The rules are those of the API v4. All items are written, or none.',
  returns: `The ids of the ${path}, the added ones first.`,
  tags: ['Legacy'],
  body: Batches,
  response: { 200: itemsOf(Written) },
})

/** How a resource is listed and written. */
interface Resource {
  item: TObject
  list: (ctx: Context, request: FastifyRequest, ...asked: Asked) => Promise<object[]>
  set: (ctx: Context, request: FastifyRequest, batches: { add: Batch; update: Batch }) => Promise<Done>
}

interface Done {
  add: readonly { id: number; request_id: string | number }[]
  update: readonly { id: number; last_modified: number }[]
}

/** The operations of the second API, which translate to the rules of v4 (docs/wire/legacy.md#the-second-api). */
export function secondApiRoutes(
  ctx: Context,
  hooks: Pick<RecordHooks, 'written'>,
): FastifyPluginAsyncTypebox {
  const resources: Record<string, Resource> = {
    leads: recordsOf('leads', V2Lead, leadView, hooks),
    contacts: recordsOf('contacts', V2Contact, contactView, hooks),
    companies: recordsOf('companies', V2Company, companyView, hooks),
    tasks: {
      item: V2Task,
      list: async (ctx, { actor }, ...asked) => (await findTasks(ctx, actor, ...asked)).map(taskView),
      set: (ctx, { actor }, batches) => setAs(ctx, actor, batches, addLegacyTasks, editLegacyTasks),
    },
    notes: {
      item: V2Note,
      list: async (ctx, { actor }, ...asked) => {
        requirePaid(ctx, actor)
        return (await listLegacyNotes(ctx, actor, ...asked)).map(noteView)
      },
      set: (ctx, { actor }, batches) => setAs(ctx, actor, batches, addLegacyNotes, editLegacyNotes),
    },
  }
  return async (v2) => {
    for (const [path, { item, list, set }] of Object.entries(resources)) {
      v2.get(`/${path}`, { schema: listOperation(path, item) }, async (request, reply) => {
        const asked: Asked = [request.query as LegacyQuery, request.headers['if-modified-since']]
        return send(reply, answer(path, 'get', await list(ctx, request, ...asked)))
      })
      v2.post(
        `/${path}`,
        { bodyLimit: BODY_LIMIT, schema: setOperation(path) },
        async (request) =>
          written(path, await set(ctx, request, batchesIn(request.body, path, SET))) as never,
      )
    }
    settingRoutes(ctx, v2)
  }
}

type Typed = Parameters<FastifyPluginAsyncTypebox>[0]

/** The account, its pipelines and its webhooks. */
function settingRoutes(ctx: Context, v2: Typed): void {
  v2.get('/account', { schema: accountOperation }, ({ actor, query }) =>
    readV2Account(ctx, actor, listOf(query.with as QueryValue | undefined)),
  )
  v2.get('/pipelines', { schema: pipelinesOperation }, async ({ actor }) => ({
    _links: linksTo('pipelines'),
    _embedded: { items: await v2Pipelines(ctx, actor) },
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

const recordsOf = <Shown extends Lead | Contact | Company>(
  kind: RecordKind,
  item: TObject,
  view: (record: Shown, looked: Looked) => object,
  hooks: Pick<RecordHooks, 'written'>,
): Resource => ({
  item,
  list: async (ctx, { actor }, ...asked) => {
    requirePaid(ctx, actor)
    const records = (await findRecords(ctx, actor, kind, ...asked)) as Shown[]
    const looked = {
      fields: await findFields(ctx.db, actor.account_id, kind),
      companies: await companyNames(ctx, actor, records),
    }
    return records.map((record) => view(record, looked))
  },
  set: (ctx, { actor }, batches) => setV2Records(ctx, actor, kind, batches, hooks),
})

type Write<Item> = (ctx: Context, actor: FastifyRequest['actor'], batch: Batch) => Promise<Item[]>

/** Adds and changes items, all of them or none. */
const setAs = (
  ctx: Context,
  actor: FastifyRequest['actor'],
  { add, update }: { add: Batch; update: Batch },
  write: Write<Done['add'][number]>,
  edit: Write<Done['update'][number]>,
): Promise<Done> =>
  asOne(async () => ({
    add: add.items.length > 0 ? await write(ctx, actor, add) : [],
    update: update.items.length > 0 ? await edit(ctx, actor, update) : [],
  }))

const written = (path: string, { add, update }: Done) =>
  answer(path, 'post', [
    ...add.map(({ id, request_id }) => ({ id, request_id, _links: linksById(path, id) })),
    ...update.map(({ id, last_modified }) => ({
      id,
      updated_at: last_modified,
      _links: linksById(path, id),
    })),
  ])

/** An empty list is 204, as on the platform. */
const send = (reply: FastifyReply, body: ReturnType<typeof answer>) =>
  (body._embedded.items.length === 0 ? reply.code(204).send() : reply.send(body)) as never

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
      Type.Object({ url: Type.String(), events: Type.Array(Type.String()), result: Type.Boolean() }),
    ),
  },
})
