import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifySchema } from 'fastify'
import { type NamesOfIntegrations, requireAdmin } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import { AccountQuery, OfRequest, Trace } from './schemas.ts'
import { readTrace } from './traces.ts'

const operation = {
  operationId: 'test_helpers.traces.get',
  summary: 'Reads what a request caused.',
  description:
    'The request, what it wrote, what the server sent because of it, and how the receivers answered. It is there without ' +
    'the request log too, but then without the request itself.',
  returns: 'The trace. At most 100 nodes of a kind are shown below a node; `left_out` counts the others.',
  tags: ['Test helpers'],
  params: OfRequest,
  querystring: AccountQuery,
  response: { 200: Trace },
} as const satisfies FastifySchema

/** `/test_helpers/traces`: traces for tests of integrations. */
export function traceHelperRoutes(ctx: Context, namesOf: NamesOfIntegrations): FastifyPluginAsyncTypebox {
  return async (helpers) => {
    helpers.get('/traces/:request_id', { schema: operation }, ({ helped_account_id, params }) =>
      readTrace(ctx, helped_account_id, params.request_id, namesOf),
    )
  }
}

/** `/web/traces`: traces of the account in the web application, for administrators. */
export function traceRoutes(ctx: Context, namesOf: NamesOfIntegrations): FastifyPluginAsyncTypebox {
  return async (web) => {
    web.get(
      '/traces/:request_id',
      { schema: { params: OfRequest, response: { 200: Trace } } },
      ({ actor, params }) => {
        requireAdmin(actor)
        return readTrace(ctx, actor.account_id, params.request_id, namesOf)
      },
    )
  }
}
