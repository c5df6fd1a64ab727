import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifySchema, InjectOptions } from 'fastify'
import type { Context } from '../context.ts'
import { Refusal } from '../errors.ts'
import { TriggerBody, Triggered, TriggerList, TriggerQuery } from './schemas.ts'
import { listTriggers, trigger } from './triggers.ts'

const tags = ['Test helpers']

const operations = {
  list: {
    operationId: 'test_helpers.triggers.list',
    summary: 'Lists what can be triggered, with the members that each action has.',
    returns: 'All types of events, all codes of webhooks, a chat callback and the disable hook.',
    tags,
    querystring: TriggerQuery,
    response: { 200: TriggerList },
  },
  trigger: {
    operationId: 'test_helpers.trigger',
    summary: 'Carries out the real action of a type of event or a code of webhooks.',
    description:
      'An installed integration sends the requests of the action to the public API, with a token of a person. So rights apply, ' +
      'and events, webhooks and callbacks follow. What is not set is made.',
    returns: 'What was sent, what was made, and what it caused.',
    tags,
    querystring: TriggerQuery,
    body: TriggerBody,
    response: { 200: Triggered },
  },
} as const satisfies Record<string, FastifySchema>

/** Actions of an account at the same time: each of their requests takes a place in this server, too. */
const MOST = 2

/** `/test_helpers/trigger` and the list of what it can do. */
export function triggerRoutes(ctx: Context): FastifyPluginAsyncTypebox {
  return async (helpers) => {
    const inject = (request: InjectOptions) => helpers.inject(request)

    helpers.get('/triggers', { schema: operations.list }, () => listTriggers())
    helpers.post('/trigger', { schema: operations.trigger }, async ({ helped_account_id, body }) => {
      const giveBack = await ctx.places.take(`triggers of ${helped_account_id}`, MOST)
      if (!giveBack)
        throw new Refusal('too_many', `${MOST} actions of this account are under way.`, { retry_after: 1 })
      try {
        return await trigger(ctx, helped_account_id, body, (request) => inject(request as InjectOptions))
      } finally {
        giveBack()
      }
    })
  }
}
