import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type TProperties, type TSchema, Type } from 'typebox'
import type { Context } from '../../context.ts'
import type { RecordHooks } from '../../entities/entities.ts'
import { BATCH_BODY } from '../../entities/records/draft-schemas.ts'
import { invalidChoice } from '../../errors.ts'
import { acceptIncoming, declineIncoming } from '../../incoming-leads/incoming-leads.ts'
import { answerOf, batchesOf, Items } from '../bodies.ts'
import { answer, answerList } from '../link-routes.ts'
import { addV2Incoming, writtenCategories } from '../v2/incoming-leads.ts'
import { optionalIdIn, uidsIn } from '../v2/incoming-names.ts'
import { IncomingLeadsQuery } from '../v2/incoming-views.ts'
import {
  LegacyIncomingLead,
  LegacySummary,
  listUnsorted,
  secondFormOf,
  summarizeUnsorted,
} from './unsorted.ts'

const OneOrSeveral = Type.Unknown({ description: 'A uid, or several.' })
const Id = Type.Optional(Type.Unknown({ description: 'An id.' }))
const Ids = Type.Array(Type.Integer())
const Records = Type.Object({ companies: Ids, leads: Ids, contacts: Ids })

const bodyOf = <Members extends TProperties>(members: Members) =>
  Type.Object({ request: Type.Object({ unsorted: Type.Object(members) }) })
const doneOf = (action: string, data: TSchema) =>
  answerOf({
    unsorted: Type.Object({ [action]: Type.Object({ status: Type.Literal('success'), data }) }),
  })

const operations = {
  list: {
    operationId: 'legacy.unsorted.list',
    summary: 'Lists incoming leads that wait, in the legacy form.',
    returns: 'The incoming leads with their records, newest first.',
    tags: ['Legacy'],
    querystring: IncomingLeadsQuery,
    response: { 200: answerOf({ unsorted: Type.Array(LegacyIncomingLead) }) },
    otherResponses: { 204: { description: 'Nothing was found.' } },
  },
  summary: {
    operationId: 'legacy.unsorted.get_all_summary',
    summary: 'Counts incoming leads, in the legacy form.',
    returns: 'The numbers.',
    tags: ['Legacy'],
    response: { 200: answerOf(LegacySummary) },
  },
  add: {
    operationId: 'legacy.unsorted.add',
    summary: 'Adds incoming leads of calls or forms in the legacy form.',
    description: 'The rules are those of the API v4. All items are written, or none.',
    returns: 'The uids of the incoming leads.',
    tags: ['Legacy'],
    body: bodyOf({
      category: Type.String({ maxLength: 32, description: '`sip` or `forms`.' }),
      add: Type.Optional(Items),
    }),
    response: { 200: doneOf('add', Type.Array(Type.String())) },
  },
  accept: {
    operationId: 'legacy.unsorted.accept',
    summary: 'Accepts incoming leads in the legacy form, all of them or none.',
    returns: 'The ids of their records, by their uids.',
    tags: ['Legacy'],
    body: bodyOf({ accept: OneOrSeveral, user_id: Id, status_id: Id }),
    response: { 200: doneOf('accept', Type.Record(Type.String(), Records)) },
  },
  decline: {
    operationId: 'legacy.unsorted.decline',
    summary: 'Declines incoming leads in the legacy form, all of them or none.',
    returns: 'False for each uid: nothing is left of it.',
    tags: ['Legacy'],
    body: bodyOf({ decline: OneOrSeveral, user_id: Id }),
    response: { 200: doneOf('decline', Type.Record(Type.String(), Type.Literal(false))) },
  },
}

/** `/api/unsorted`: incoming leads of the first API (docs/wire/legacy.md#unsorted). */
export function unsortedRoutes(
  ctx: Context,
  { written }: Pick<RecordHooks, 'written'>,
): FastifyPluginAsyncTypebox {
  return async (legacy) => {
    const done = (action: string, data: object) =>
      answer(ctx, { unsorted: { [action]: { status: 'success' as const, data } } }) as never

    legacy.get('/list', { schema: operations.list }, ({ actor, query }, reply) =>
      answerList(ctx, reply, 'unsorted', listUnsorted(ctx, actor, query as IncomingLeadsQuery)),
    )
    legacy.get('/get_all_summary', { schema: operations.summary }, async ({ actor }) =>
      answer(ctx, await summarizeUnsorted(ctx, actor)),
    )
    legacy.post('/add', { bodyLimit: BATCH_BODY, schema: operations.add }, async ({ actor, body }) => {
      const category = categoryIn(body.request.unsorted.category)
      const { add } = batchesOf(body, 'unsorted', ['add'])
      const batch = { ...add, items: add.items.map((item) => secondFormOf(category, item)) }
      return done('add', await addV2Incoming(ctx, actor, category, batch, { written }))
    })
    legacy.post('/accept', { schema: operations.accept }, async ({ actor, body }) => {
      const { accept, user_id, status_id } = body.request.unsorted
      const named = {
        user_id: optionalIdIn(`${AT}.user_id`, user_id),
        status_id: optionalIdIn(`${AT}.status_id`, status_id),
      }
      const accepted = await acceptIncoming(ctx, actor, uidsIn(`${AT}.accept`, accept), named, written)
      return done('accept', Object.fromEntries(accepted.map(({ row, records }) => [row.uid, records])))
    })
    legacy.post('/decline', { schema: operations.decline }, async ({ actor, body }) => {
      const { decline, user_id } = body.request.unsorted
      const named = { user_id: optionalIdIn(`${AT}.user_id`, user_id) }
      const declined = await declineIncoming(ctx, actor, uidsIn(`${AT}.decline`, decline), named)
      return done('decline', Object.fromEntries(declined.map(({ row }) => [row.uid, false])))
    })
  }
}

const AT = 'request.unsorted'

function categoryIn(name: string): 'sip' | 'forms' {
  if (Object.hasOwn(writtenCategories, name)) return name as 'sip' | 'forms'
  throw invalidChoice(`${AT}.category`, Object.keys(writtenCategories))
}
