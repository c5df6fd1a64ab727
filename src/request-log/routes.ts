import { finished } from 'node:stream/promises'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyInstance, FastifyRequest, FastifySchema, HTTPMethods } from 'fastify'
import { type NamesOfIntegrations, requireAdmin } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import { accountOfAdmin, clearRequests, listRequests, readRequest } from './list.ts'
import {
  AccountQuery,
  ById,
  FoundRequests,
  LoggedExchange,
  RequestPage,
  RequestQuery,
  Setting,
  WaitQuery,
} from './schemas.ts'
import { type Inject, sendRequestAgain } from './send-again.ts'
import { changeSetting, readSetting } from './settings.ts'
import { waitForRequests } from './wait.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The account that a caller of `/test_helpers` asks about. */
    helped_account_id: number
  }
}

const tags = ['Test helpers']

const operations = {
  list: {
    operationId: 'test_helpers.requests.list',
    summary: 'Lists the recorded requests, the newest first.',
    description:
      'Everything that was answered before the call is in the list. Secrets are never stored: of each, the kind and the ' +
      'last four characters are shown.',
    returns: 'A page of the log.',
    tags,
    querystring: RequestQuery,
    response: { 200: RequestPage },
  },
  wait: {
    operationId: 'test_helpers.requests.wait',
    summary: 'Waits until as many matching requests have happened.',
    description:
      'Answers as soon as they have. All recorded requests count; `after` leaves out those until an id. ' +
      'A 408 has the nearest misses in `nearest`, each with the members in which it differs.',
    returns: 'The newest matching requests, the oldest of them first.',
    tags,
    querystring: WaitQuery,
    response: { 200: FoundRequests },
  },
  get: {
    operationId: 'test_helpers.requests.get',
    summary: 'Reads one recorded request with its answer.',
    returns: 'The request with headers and bodies.',
    tags,
    querystring: AccountQuery,
    params: ById,
    response: { 200: LoggedExchange },
  },
  send: {
    operationId: 'test_helpers.request.send',
    summary: 'Sends a recorded request again.',
    description:
      'The server sends it exactly as it was, except for an idempotency key, with the rights that its consent has now. ' +
      'It is recorded like any other request. A 409 with the code `not_repeatable` has the reason in `obstacle`.',
    returns: 'The new request with its answer.',
    tags,
    querystring: AccountQuery,
    params: ById,
    response: { 200: LoggedExchange },
    otherResponses: {
      408: { description: 'The request was sent, but its row did not appear in time.', problem: true },
    },
  },
  clear: {
    operationId: 'test_helpers.requests.clear',
    summary: 'Deletes all recorded requests of the account.',
    tags,
    querystring: AccountQuery,
    otherResponses: { 204: { description: 'The log is empty.' } },
  },
} as const satisfies Record<string, FastifySchema>

/** `/test_helpers/requests`: the request log for tests of integrations. */
export function requestHelperRoutes(ctx: Context, namesOf: NamesOfIntegrations): FastifyPluginAsyncTypebox {
  return async (helpers) => {
    helpers.get('/requests', { schema: operations.list }, ({ helped_account_id, query }) =>
      listRequests(ctx, helped_account_id, query, namesOf),
    )
    helpers.get('/requests/wait', { schema: operations.wait }, async ({ helped_account_id, query }) => ({
      requests: await waitForRequests(ctx, helped_account_id, query, namesOf),
    }))
    helpers.get('/requests/:id', { schema: operations.get }, ({ helped_account_id, params }) =>
      readRequest(ctx, helped_account_id, params.id, namesOf),
    )
    helpers.post('/requests/:id/send', { schema: operations.send }, (request) =>
      sendRequestAgain(
        ctx,
        { account_id: request.helped_account_id, user_id: 0, address: request.ip, request_id: request.id },
        request.params.id,
        { inject: injectInto(helpers), namesOf },
      ),
    )
    helpers.delete('/requests', { schema: operations.clear }, async ({ helped_account_id }, reply) => {
      await clearRequests(ctx, helped_account_id)
      return reply.code(204).send()
    })
  }
}

/** The answer is read to its end and dropped: the log keeps its beginning. */
const injectInto =
  (server: FastifyInstance): Inject =>
  async ({ method, url, headers, body, address }, signal) => {
    const answer = await server.inject({
      method: method as HTTPMethods,
      url,
      headers,
      ...(body !== null && { payload: body }),
      remoteAddress: address,
      payloadAsStream: true,
      signal,
    })
    await finished(answer.stream().resume(), { signal })
    return String(answer.headers['x-request-id'])
  }

const adminOf = ({ actor }: FastifyRequest): number => accountOfAdmin(actor)

/** `/web/requests`: the request log of the account in the web application, for administrators. */
export function requestLogRoutes(ctx: Context, namesOf: NamesOfIntegrations): FastifyPluginAsyncTypebox {
  return async (web) => {
    web.get(
      '/requests',
      { schema: { querystring: RequestQuery, response: { 200: RequestPage } } },
      (request) => listRequests(ctx, adminOf(request), request.query, namesOf),
    )
    web.get('/requests/:id', { schema: { params: ById, response: { 200: LoggedExchange } } }, (request) =>
      readRequest(ctx, adminOf(request), request.params.id, namesOf),
    )
    web.post(
      '/requests/:id/send',
      { schema: { params: ById, response: { 200: LoggedExchange } } },
      ({ actor, params }) => {
        requireAdmin(actor)
        return sendRequestAgain(ctx, actor, params.id, { inject: injectInto(web), namesOf })
      },
    )
    web.delete('/requests', async (request, reply) => {
      await clearRequests(ctx, adminOf(request))
      return reply.code(204).send()
    })
    web.get('/requests/settings', { schema: { response: { 200: Setting } } }, ({ actor }) =>
      readSetting(ctx, actor),
    )
    web.put('/requests/settings', { schema: { body: Setting } }, async ({ actor, body }, reply) => {
      await changeSetting(ctx, actor, body)
      return reply.code(204).send()
    })
  }
}
