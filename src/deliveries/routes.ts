import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest, FastifySchema } from 'fastify'
import { type NamesOfIntegrations, requireAdmin } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import { listReceivers, pageOfDeliveries, readDelivery } from './deliveries.ts'
import {
  AccountQuery,
  ById,
  DeliveryDetails,
  DeliveryPage,
  DeliveryQuery,
  Receivers,
  ReplayDraft,
  Replayed,
} from './schemas.ts'
import { replayReceiver, sendDeliveryAgain } from './send-again.ts'

const tags = ['Test helpers']

const operations = {
  list: {
    operationId: 'test_helpers.deliveries.list',
    summary: 'Lists what the account sends, the latest first.',
    description:
      'Webhooks, messages to chat channels, calls of rules, and disable hooks, with the state of each. They are kept for ' +
      '30 days after they have ended.',
    returns: 'A page of deliveries.',
    tags,
    querystring: DeliveryQuery,
    response: { 200: DeliveryPage },
  },
  get: {
    operationId: 'test_helpers.delivery.get',
    summary: 'Reads one delivery with its request and every attempt.',
    returns: 'The delivery.',
    tags,
    querystring: AccountQuery,
    params: ById,
    response: { 200: DeliveryDetails },
  },
} as const satisfies Record<string, FastifySchema>

/** `/test_helpers/deliveries`: what an account sends, for tests of integrations. */
export function deliveryHelperRoutes(ctx: Context, namesOf: NamesOfIntegrations): FastifyPluginAsyncTypebox {
  return async (helpers) => {
    helpers.get('/deliveries', { schema: operations.list }, ({ helped_account_id, query }) =>
      pageOfDeliveries(ctx, helped_account_id, query, namesOf),
    )
    helpers.get('/deliveries/:id', { schema: operations.get }, ({ helped_account_id, params }) =>
      readDelivery(ctx, helped_account_id, params.id, namesOf),
    )
  }
}

/** The account of an administrator. Everything here is for them. */
function adminsAccount({ actor }: FastifyRequest): number {
  requireAdmin(actor)
  return actor.account_id
}

/** `/web/deliveries`: what the account sends in the web application, for administrators. */
export function deliveryRoutes(ctx: Context, namesOf: NamesOfIntegrations): FastifyPluginAsyncTypebox {
  return async (web) => {
    web.get(
      '/deliveries',
      { schema: { querystring: DeliveryQuery, response: { 200: DeliveryPage } } },
      (request) => pageOfDeliveries(ctx, adminsAccount(request), request.query, namesOf),
    )
    web.get('/deliveries/receivers', { schema: { response: { 200: Receivers } } }, async (request) => ({
      receivers: await listReceivers(ctx, adminsAccount(request), namesOf),
    }))
    web.get('/deliveries/:id', { schema: { params: ById, response: { 200: DeliveryDetails } } }, (request) =>
      readDelivery(ctx, adminsAccount(request), request.params.id, namesOf),
    )
    web.post('/deliveries/:id/send', { schema: { repeats: true, params: ById } }, async (request, reply) => {
      adminsAccount(request)
      await sendDeliveryAgain(ctx, request.actor, request.params.id)
      return reply.code(204).send()
    })
    web.post(
      '/deliveries/replay',
      { schema: { repeats: true, body: ReplayDraft, response: { 200: Replayed } } },
      (request) => {
        adminsAccount(request)
        return replayReceiver(ctx, request.actor, request.body)
      },
    )
  }
}
