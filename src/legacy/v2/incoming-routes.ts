import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Context } from '../../context.ts'
import type { RecordHooks } from '../../entities/entities.ts'
import { BATCH_BODY } from '../../entities/records/draft-schemas.ts'
import type { QueryValue } from '../../http/queries/bracket-query.ts'
import { acceptIncoming, declineIncoming } from '../../incoming-leads/incoming-leads.ts'
import { batchesIn, Items } from '../bodies.ts'
import { answer, itemsOf, Links, linksTo } from './bodies.ts'
import { addV2Incoming, writtenCategories } from './incoming-leads.ts'
import { optionalIdIn, uidsIn } from './incoming-names.ts'
import {
  IncomingLeadsQuery,
  listV2Incoming,
  summarizeV2Incoming,
  V2IncomingLead,
  V2Summary,
} from './incoming-views.ts'
import { send } from './routes.ts'

const PATH = 'incoming_leads'
const Ids = Type.Array(Type.Integer())
const OneOrSeveral = Type.Unknown({ description: 'A uid, or several.' })
const Id = Type.Optional(Type.Unknown({ description: 'An id.' }))
const Records = Type.Object({ companies: Ids, leads: Ids, contacts: Ids })

const done = <Data extends Parameters<typeof Type.Array>[0]>(data: Data) =>
  Type.Object({ status: Type.Literal('success'), data, _links: Links })

const operations = {
  list: {
    operationId: 'second_api.incoming_leads.list',
    summary: 'Lists incoming leads that wait, in the form of the second API.',
    returns: 'The incoming leads with their records, newest first.',
    tags: ['Legacy'],
    querystring: IncomingLeadsQuery,
    response: { 200: itemsOf(V2IncomingLead) },
    otherResponses: { 204: { description: 'Nothing was found.' } },
  },
  summary: {
    operationId: 'second_api.incoming_leads.summary',
    summary: 'Counts incoming leads, in the form of the second API.',
    returns: 'The numbers of a span of time.',
    tags: ['Legacy'],
    querystring: Type.Object({
      data: Type.Optional(
        Type.Unknown({ description: '`data[filter][date][from]` and `[to]`, in Unix seconds.' }),
      ),
    }),
    response: { 200: V2Summary },
  },
  accept: {
    operationId: 'second_api.incoming_leads.accept',
    summary: 'Accepts incoming leads, all of them or none.',
    returns: 'The ids of their records, by their uids.',
    tags: ['Legacy'],
    body: Type.Object({ accept: OneOrSeveral, user_id: Id, status_id: Id }),
    response: { 200: done(Type.Record(Type.String(), Records)) },
  },
  decline: {
    operationId: 'second_api.incoming_leads.decline',
    summary: 'Declines incoming leads, all of them or none.',
    returns: 'False for each uid: nothing is left of it.',
    tags: ['Legacy'],
    body: Type.Object({ decline: OneOrSeveral, user_id: Id }),
    response: { 200: done(Type.Record(Type.String(), Type.Literal(false))) },
  },
}

const addOperation = (path: string) => ({
  operationId: `second_api.incoming_leads.${path}`,
  summary: `Adds incoming leads of ${path === 'sip' ? 'calls' : 'forms'} in the form of the second API.`,
  description: 'The rules are those of the API v4. All items are written, or none.',
  returns: 'The uids of the incoming leads.',
  tags: ['Legacy'],
  body: Type.Object({ add: Type.Optional(Items) }),
  response: { 200: done(Type.Array(Type.String())) },
})

/** `/api/v2/incoming_leads` (docs/wire/legacy.md#incoming-leads). */
export function incomingLeadV2Routes(
  ctx: Context,
  { written }: Pick<RecordHooks, 'written'>,
): FastifyPluginAsyncTypebox {
  return async (v2) => {
    v2.get(`/${PATH}`, { schema: operations.list }, async ({ actor, query }, reply) => {
      const items = await listV2Incoming(ctx, actor, query as IncomingLeadsQuery)
      return send(reply as never, answer(PATH, 'get', items))
    })
    v2.get(`/${PATH}/summary`, { schema: operations.summary }, ({ actor, query }) =>
      summarizeV2Incoming(ctx, actor, query.data as QueryValue | undefined),
    )
    for (const [category, { path }] of Object.entries(writtenCategories))
      v2.post(
        `/${PATH}/${path}`,
        { bodyLimit: BATCH_BODY, schema: addOperation(path) },
        async ({ actor, body }) => {
          const { add } = batchesIn(body as Record<string, object[]>, 'incoming leads', ['add'])
          const uids = await addV2Incoming(ctx, actor, category as 'sip' | 'forms', add, { written })
          return success(path, uids)
        },
      )
    v2.post(`/${PATH}/accept`, { schema: operations.accept }, async ({ actor, body }) => {
      const named = {
        user_id: optionalIdIn('user_id', body.user_id),
        status_id: optionalIdIn('status_id', body.status_id),
      }
      const accepted = await acceptIncoming(ctx, actor, uidsIn('accept', body.accept), named, written)
      return success('accept', Object.fromEntries(accepted.map(({ row, records }) => [row.uid, records])))
    })
    v2.post(`/${PATH}/decline`, { schema: operations.decline }, async ({ actor, body }) => {
      const named = { user_id: optionalIdIn('user_id', body.user_id) }
      const declined = await declineIncoming(ctx, actor, uidsIn('decline', body.decline), named)
      return success('decline', Object.fromEntries(declined.map(({ row }) => [row.uid, false as const])))
    })
  }
}

const success = <Data>(path: string, data: Data) => ({
  status: 'success' as const,
  data,
  _links: linksTo(`${PATH}/${path}`, 'post'),
})
