import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Context } from '../context.ts'
import type { RecordHooks } from '../entities/entities.ts'
import { BATCH_BODY } from '../entities/records/draft-schemas.ts'
import { Refusal } from '../errors.ts'
import { self } from '../http/hal.ts'
import { mount } from '../http/mount.ts'
import { baseOf, KeysetList, KeysetPaged, keysetPage, pageOf, positionOf } from '../http/queries/paging.ts'
import { anyText, choices, ids, one, orders, spans } from '../http/queries/query-parameters.ts'
import { type AddedIncoming, addIncoming } from './add.ts'
import { categories } from './categories.ts'
import { linkIncoming } from './link.ts'
import { type IncomingQuery, listIncoming, readIncoming, summarizeIncoming } from './list.ts'
import {
  Acceptance,
  Accepted,
  AddedIncomingLeads,
  ByUid,
  Decline,
  Declined,
  IncomingLead,
  LinkedLead,
  LinkOfLead,
  NewIncomingCalls,
  NewIncomingForms,
  type NewIncomingLead,
  Summary,
} from './schemas.ts'
import { acceptIncoming, declineIncoming, type Sorted } from './sort.ts'
import { linked, linkedRecords } from './view.ts'

const tags = ['Incoming leads']

const operations = {
  list: {
    operationId: 'leads.unsorted.list',
    summary: 'Lists the incoming leads that were neither accepted nor declined, newest first.',
    returns: 'One page of incoming leads.',
    tags,
    parameters: [
      ...anyText('uid'),
      ...choices('category', categories),
      ...ids('pipeline_id', 'lead_id'),
      ...orders('created_at', 'updated_at'),
    ],
    querystring: KeysetPaged,
    response: { 200: KeysetList('unsorted', IncomingLead) },
  },
  get: {
    operationId: 'leads.unsorted.get',
    summary: 'Shows one incoming lead.',
    returns: 'The incoming lead.',
    tags,
    params: ByUid,
    response: { 200: IncomingLead },
  },
  summary: {
    operationId: 'leads.unsorted.summary.get',
    summary: 'Counts incoming leads, and how many were accepted and declined.',
    returns: 'The numbers, and the average time until an incoming lead was accepted or declined.',
    tags,
    parameters: [
      ...anyText('uid'),
      ...ids('pipeline_id'),
      ...one('filter[created_at]', { type: 'integer' }, 'From this time on.'),
      ...spans('created_at'),
    ],
    querystring: Type.Object({}),
    response: { 200: Summary },
  },
  createCalls: {
    operationId: 'leads.unsorted.sip.create',
    summary: 'Adds incoming leads of calls, all of the batch or none.',
    returns: 'The uids of the incoming leads, and the ids of their records.',
    tags,
    body: NewIncomingCalls,
    response: { 200: AddedIncomingLeads },
  },
  createForms: {
    operationId: 'leads.unsorted.forms.create',
    summary: 'Adds incoming leads of forms, all of the batch or none.',
    returns: 'The uids of the incoming leads, and the ids of their records.',
    tags,
    body: NewIncomingForms,
    response: { 200: AddedIncomingLeads },
  },
  accept: {
    operationId: 'leads.unsorted.accept',
    summary: 'Accepts one incoming lead: it gets a stage, and its contact and company are shown in lists.',
    returns: 'The records of the lead.',
    tags,
    params: ByUid,
    body: Acceptance,
    response: { 200: Accepted },
  },
  decline: {
    operationId: 'leads.unsorted.decline',
    summary:
      'Declines one incoming lead: it goes to the trash, with the contact and company that came with it.',
    returns: 'The records of the lead.',
    tags,
    params: ByUid,
    body: Decline,
    response: { 200: Declined },
  },
  link: {
    operationId: 'leads.unsorted.link',
    summary: 'Links an incoming chat to a lead or a customer that exists.',
    returns: 'The lead or the customer.',
    tags,
    params: ByUid,
    body: LinkOfLead,
    response: { 200: LinkedLead },
  },
}

/** `/leads/unsorted` (docs/wire/incoming-leads.md). */
export function incomingLeadRoutes(ctx: Context, hooks: Hooks): FastifyPluginAsyncTypebox {
  return async (v4) => {
    await mount(v4, readingRoutes(ctx))
    await mount(v4, addingRoutes(ctx, hooks))
    await mount(v4, sortingRoutes(ctx, hooks))
  }
}

type Hooks = Pick<RecordHooks, 'written' | 'merged'>

function readingRoutes(ctx: Context): FastifyPluginAsyncTypebox {
  return async (v4) => {
    const base = baseOf(v4)
    v4.get('/leads/unsorted', { schema: operations.list }, async (request) => {
      const { actor, query } = request
      const page = pageOf(query)
      const after = positionOf(query)
      const { unsorted, next } = await listIncoming(ctx, actor, query as IncomingQuery, {
        page,
        after,
        base: base(request),
      })
      return { ...keysetPage(request, page, next), _embedded: { unsorted } }
    })
    v4.get('/leads/unsorted/summary', { schema: operations.summary }, ({ actor, query }) =>
      summarizeIncoming(ctx, actor, query as IncomingQuery),
    )
    v4.get('/leads/unsorted/:uid', { schema: operations.get }, (request) =>
      readIncoming(ctx, request.actor, request.params.uid, base(request)),
    )
  }
}

function sortingRoutes(ctx: Context, { written, merged }: Hooks): FastifyPluginAsyncTypebox {
  return async (v4) => {
    const base = baseOf(v4)
    v4.post('/leads/unsorted/:uid/accept', { schema: operations.accept }, async (request) => {
      const { actor, params, body } = request
      const accepted = await acceptIncoming(ctx, actor, [params.uid], body ?? {}, written)
      const { row, records } = accepted[0] as Sorted
      const { uid, pipeline_id, category, created_at } = row
      return {
        uid,
        pipeline_id,
        category: category as 'sip',
        created_at,
        _embedded: linkedRecords(base(request), records),
      }
    })
    v4.delete('/leads/unsorted/:uid/decline', { schema: operations.decline }, async (request) => {
      const { actor, params, body } = request
      const declined = await declineIncoming(ctx, actor, [params.uid], body ?? {})
      const { row, records } = declined[0] as Sorted
      const { companies: _, ..._embedded } = linkedRecords(base(request), records)
      const { uid, pipeline_id, category, created_at } = row
      return { uid, pipeline_id, category: category as 'sip', created_at, _embedded }
    })
    v4.post('/leads/unsorted/:uid/link', { schema: operations.link }, async (request) => {
      const { actor, params, body } = request
      await linkIncoming(ctx, actor, params.uid, body, merged)
      const { entity_id, entity_type } = body.link
      return {
        uid: params.uid,
        _embedded: { [entity_type]: linked(base(request), entity_type, [entity_id]) },
      }
    })
  }
}

/** The two calls that add incoming leads, and the one that clients send by mistake. */
function addingRoutes(ctx: Context, { written }: Hooks): FastifyPluginAsyncTypebox {
  return async (v4) => {
    const base = baseOf(v4)
    v4.post(
      '/leads/unsorted/sip',
      { bodyLimit: BATCH_BODY, schema: operations.createCalls },
      async (request) =>
        addedView(
          base(request),
          request.body,
          await addIncoming(ctx, request.actor, 'sip', request.body, written),
        ),
    )
    v4.post(
      '/leads/unsorted/forms',
      { bodyLimit: BATCH_BODY, schema: operations.createForms },
      async (request) =>
        addedView(
          base(request),
          request.body,
          await addIncoming(ctx, request.actor, 'forms', request.body, written),
        ),
    )
    // Clients that miss the category get the answer of the platform.
    v4.post('/leads/unsorted*', () => {
      throw new Refusal(
        'wrong_method',
        'Add incoming leads with POST /leads/unsorted/sip or /leads/unsorted/forms.',
      )
    })
  }
}

const addedView = (base: string, drafts: readonly NewIncomingLead[], added: readonly AddedIncoming[]) => ({
  _total_items: added.length,
  _embedded: {
    unsorted: added.map(({ row: { uid, account_id }, records }, i) => ({
      uid,
      account_id,
      request_id: drafts[i]?.request_id ?? String(i),
      _links: self(`${base}/leads/unsorted/${uid}`),
      _embedded: linkedRecords(base, records),
    })),
  },
})
