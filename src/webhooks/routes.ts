import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Context } from '../context.ts'
import { filterOf, listOf, type QueryValue } from '../http/queries/bracket-query.ts'
import { texts } from '../http/queries/query-parameters.ts'
import { NamedWebhook, NewWebhook, Webhook, Webhooks } from './schemas.ts'
import { listWebhooks, subscribe, unsubscribe } from './subscriptions.ts'

const tags = ['Webhooks']

const operations = {
  list: {
    operationId: 'webhooks.list',
    summary: 'Lists the webhooks of the account.',
    description: 'For administrators. The list includes the webhooks of other integrations.',
    returns: 'The webhooks.',
    tags,
    parameters: texts('destination'),
    response: { 200: Webhooks },
  },
  subscribe: {
    operationId: 'webhooks.subscribe',
    summary: 'Subscribes an address to changes.',
    description:
      'For administrators. If the address is subscribed already, its settings are replaced and it is enabled.',
    returns: 'The webhook. The status is 200 if the address was subscribed already.',
    tags,
    body: NewWebhook,
    response: { 200: Webhook, 201: Webhook },
    otherResponses: { 422: { description: 'The account has a hundred webhooks.', problem: true as const } },
  },
  unsubscribe: {
    operationId: 'webhooks.unsubscribe',
    summary: 'Removes the subscription of an address.',
    description: 'For administrators. Pending deliveries to the address are cancelled.',
    returns: 'The webhook was removed.',
    tags,
    body: NamedWebhook,
  },
}

/** `/webhooks`: the subscriptions of the account (docs/wire/webhooks.md#calls). */
export function webhookRoutes(ctx: Context): FastifyPluginAsyncTypebox {
  return async (v4) => {
    v4.get('/webhooks', { schema: operations.list }, async ({ actor, query }) => {
      const named = filterOf(query as { filter?: QueryValue }, 'destination')
      // A URL can contain a comma.
      const webhooks = await listWebhooks(ctx, actor, typeof named === 'string' ? [named] : listOf(named))
      return { _total_items: webhooks.length, _embedded: { webhooks } }
    })
    v4.post('/webhooks', { schema: operations.subscribe }, async ({ actor, body }, reply) => {
      const { webhook, isNew } = await subscribe(ctx, actor, body)
      return reply.code(isNew ? 201 : 200).send(webhook)
    })
    v4.delete('/webhooks', { schema: operations.unsubscribe }, async ({ actor, body }, reply) => {
      await unsubscribe(ctx, actor, body.destination)
      return reply.code(204).send()
    })
  }
}
