import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { requirePaid } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import type { RecordHooks } from '../entities/entities.ts'
import { Refusal } from '../errors.ts'
import { mount } from '../http/mount.ts'
import { textOf } from '../http/queries/bracket-query.ts'
import { currentAccount } from './account.ts'
import { Added, answerOf, batchesOf, bodyOf, Changed } from './bodies.ts'
import { answer, answerList, linkRoutes } from './link-routes.ts'
import { LegacyNote, listLegacyNotes } from './list-notes.ts'
import { LegacyQuery } from './list-parameters.ts'
import { listRecords } from './list-records.ts'
import { addLegacyNotes, editLegacyNotes } from './notes.ts'
import { LegacyCompany, LegacyContact, LegacyLead } from './record-views.ts'
import { asOne } from './requests.ts'
import { setRecords } from './set-records.ts'
import { addLegacyTasks, editLegacyTasks, LegacyTask, listLegacyTasks } from './tasks.ts'
import { LegacyWebhook, listLegacyWebhooks, subscribeLegacy, unsubscribeLegacy } from './webhooks.ts'

const BODY_LIMIT = 2 * 1024 * 1024
const SET = ['add', 'update'] as const

/** The kinds of records, by their part of the address and their names in bodies. Companies are `contacts` there. */
const resources = {
  leads: { path: 'leads', name: 'leads', item: LegacyLead, what: 'leads' },
  contacts: {
    ...{ path: 'contacts', name: 'contacts', what: 'contacts, or companies with `type=company`' },
    item: Type.Union([LegacyContact, LegacyCompany]),
  },
  companies: { path: 'company', name: 'contacts', item: LegacyCompany, what: 'companies' },
} as const

const listOperation = (path: string, name: string, item: Parameters<typeof Type.Array>[0], what: string) => ({
  operationId: `legacy.${path}.list`,
  summary: `Lists ${what} in the legacy form.`,
  description: 'The header `If-Modified-Since` selects what changed since then.',
  returns: `The ${what}.`,
  tags: ['Legacy'],
  querystring: LegacyQuery,
  response: { 200: answerOf({ [name]: Type.Array(item) }) },
  otherResponses: { 204: { description: 'Nothing was found.' } },
})

const setOperation = (path: string, name: string, what: string) => ({
  operationId: `legacy.${path}.set`,
  summary: `Adds and changes ${what} in the legacy form.`,
  description: 'The rules are those of the API v4. All items are written, or none.',
  returns: `The ids of the ${what}.`,
  tags: ['Legacy'],
  body: bodyOf(name, SET),
  response: { 200: answerOf({ [name]: Type.Object({ add: Added, update: Changed }) }) },
})

/** The operations of the first API, which translate to the rules of v4 (docs/wire/legacy.md). */
export function legacyRoutes(
  ctx: Context,
  { written }: Pick<RecordHooks, 'written'>,
): FastifyPluginAsyncTypebox {
  return async (legacy) => {
    for (const [kind, { path, name, item, what }] of Object.entries(resources) as [
      keyof typeof resources,
      (typeof resources)[keyof typeof resources],
    ][]) {
      legacy.get(`/${path}/list`, { schema: listOperation(path, name, item, what) }, (request, reply) => {
        requirePaid(ctx, request.actor)
        const asked = askedOf(request)
        const listed = kind === 'contacts' && textOf(asked[0].type) === 'company' ? 'companies' : kind
        return answerList(ctx, reply, name, listRecords(ctx, request.actor, listed, ...asked))
      })
      legacy.post(
        `/${path}/set`,
        { bodyLimit: BODY_LIMIT, schema: setOperation(path, name, kind) },
        async ({ actor, body }) =>
          answer(ctx, {
            [name]: await setRecords(ctx, actor, kind, batchesOf(body, name, SET), { written }),
          }),
      )
    }
    await mount(legacy, ownRoutes(ctx))
    await mount(legacy, linkRoutes(ctx))
    await mount(legacy, webhookRoutes(ctx))
  }
}

/** The account, tasks and notes. */
function ownRoutes(ctx: Context): FastifyPluginAsyncTypebox {
  return async (legacy) => {
    legacy.get('/accounts/current', { schema: accountOperation }, async ({ actor }) =>
      answer(ctx, { account: await currentAccount(ctx, actor) }),
    )
    legacy.get(
      '/tasks/list',
      { schema: listOperation('tasks', 'tasks', LegacyTask, 'tasks') },
      (request, reply) =>
        answerList(ctx, reply, 'tasks', listLegacyTasks(ctx, request.actor, ...askedOf(request))),
    )
    legacy.get(
      '/notes/list',
      { schema: listOperation('notes', 'notes', LegacyNote, 'notes') },
      (request, reply) => {
        requirePaid(ctx, request.actor)
        return answerList(ctx, reply, 'notes', listLegacyNotes(ctx, request.actor, ...askedOf(request)))
      },
    )
    legacy.post(
      '/tasks/set',
      { bodyLimit: BODY_LIMIT, schema: setOperation('tasks', 'tasks', 'tasks') },
      async ({ actor, body }) => {
        const { add, update } = oneAction(body, 'tasks')
        const added = add.items.length > 0 ? await addLegacyTasks(ctx, actor, add) : []
        const changed = update.items.length > 0 ? await editLegacyTasks(ctx, actor, update) : []
        return answer(ctx, { tasks: { add: added, update: changed } })
      },
    )
    legacy.post(
      '/notes/set',
      { bodyLimit: BODY_LIMIT, schema: setOperation('notes', 'notes', 'notes') },
      async ({ actor, body }) => {
        const { add, update } = oneAction(body, 'notes')
        const added = add.items.length > 0 ? await addLegacyNotes(ctx, actor, add) : []
        const changed = update.items.length > 0 ? await asOne(() => editLegacyNotes(ctx, actor, update)) : []
        return answer(ctx, { notes: { add: added, update: changed } })
      },
    )
  }
}

/** Tasks and notes are added or changed by a request, not both, so that it is written as a whole (Z2). */
function oneAction(body: unknown, name: string) {
  const batches = batchesOf(body, name, SET)
  if (batches.add.items.length > 0 && batches.update.items.length > 0)
    throw new Refusal('invalid', `A request adds ${name} or updates them, not both. Send two requests.`)
  return batches
}

const accountOperation = {
  operationId: 'legacy.accounts.current',
  summary: 'Reads the account with its people, stages, fields and types in the legacy form.',
  returns: 'The account.',
  tags: ['Legacy'],
  response: { 200: answerOf({ account: Type.Unsafe<object>({ description: 'See docs/wire/legacy.md.' }) }) },
}

const webhookOperation = (action: 'subscribe' | 'unsubscribe', summary: string) => ({
  operationId: `legacy.webhooks.${action}`,
  summary,
  returns: 'The addresses with their events.',
  tags: ['Legacy'],
  body: bodyOf('webhooks', [action]),
  response: {
    200: answerOf({
      webhooks: Type.Object({
        [action]: Type.Array(
          Type.Object({
            url: Type.String(),
            events: Type.Array(Type.String()),
            result: Type.Boolean({ description: 'Always true: all items are written, or none.' }),
          }),
        ),
      }),
    }),
  },
})

function webhookRoutes(ctx: Context): FastifyPluginAsyncTypebox {
  return async (legacy) => {
    const list = {
      operationId: 'legacy.webhooks.list',
      summary: 'Lists the webhooks of the account in the legacy form.',
      returns: 'The webhooks.',
      tags: ['Legacy'],
      response: { 200: answerOf({ webhooks: Type.Array(LegacyWebhook) }) },
    }
    legacy.get('/webhooks/list', { schema: list }, async ({ actor }) =>
      answer(ctx, { webhooks: await listLegacyWebhooks(ctx, actor) }),
    )
    const subscribing = webhookOperation('subscribe', 'Subscribes addresses to events in the legacy form.')
    legacy.post('/webhooks/subscribe', { schema: subscribing }, async ({ actor, body }) => {
      const { subscribe } = batchesOf(body, 'webhooks', ['subscribe'])
      return answer(ctx, { webhooks: { subscribe: await subscribeLegacy(ctx, actor, subscribe) } })
    })
    const unsubscribing = webhookOperation('unsubscribe', 'Takes events from addresses in the legacy form.')
    legacy.post('/webhooks/unsubscribe', { schema: unsubscribing }, async ({ actor, body }) => {
      const { unsubscribe } = batchesOf(body, 'webhooks', ['unsubscribe'])
      return answer(ctx, { webhooks: { unsubscribe: await unsubscribeLegacy(ctx, actor, unsubscribe) } })
    })
  }
}

const askedOf = ({ query, headers }: FastifyRequest): [LegacyQuery, string | undefined] => [
  query as LegacyQuery,
  headers['if-modified-since'],
]
