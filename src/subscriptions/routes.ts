import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { requirePaid } from '../accounts/accounts.ts'
import { ById } from '../accounts/members/schemas.ts'
import type { Context } from '../context.ts'
import { entityTypes } from '../entities/records/entity-types.ts'
import type { RequestOf } from '../http/operation.ts'
import { CountedList, countedPage, Paged, pageOf } from '../http/queries/paging.ts'
import {
  type FollowedType,
  follow,
  followedTypes,
  listFollowed,
  listFollowers,
  unfollow,
} from './subscriptions.ts'

const Subscription = Type.Object(
  {
    subscriber_id: Type.Integer({ description: 'The id of a user.' }),
    type: Type.Literal('user', { description: 'The platform also has `group`.' }),
  },
  { title: 'Subscription' },
)
const Subscriptions = CountedList('subscriptions', Subscription)

const operationsOf = (one: string) => ({
  list: {
    operationId: `${one}.subscriptions.list`,
    summary: `Lists the people who follow one ${one}.`,
    returns: 'One page of subscriptions.',
    tags: ['Subscriptions'],
    params: ById,
    querystring: Paged,
    response: { 200: Subscriptions },
  },
  follow: {
    operationId: `${one}.subscriptions.add`,
    summary: `Lets the user of the token follow one ${one}.`,
    returns: `The user follows the ${one}.`,
    tags: ['Subscriptions'],
    params: ById,
  },
  unfollow: {
    operationId: `${one}.subscriptions.remove`,
    summary: `Lets the user of the token no longer follow one ${one}.`,
    returns: `The user does not follow the ${one}.`,
    tags: ['Subscriptions'],
    params: ById,
  },
})

/** `/{leads|customers}/{id}/subscriptions`. Some clients read it as `/followers`. */
export function subscriptionRoutes(ctx: Context): FastifyPluginAsyncTypebox {
  return async (v4) => {
    for (const type of followedTypes) {
      const { singular } = entityTypes[type]
      const operations = operationsOf(singular)
      const at = `/${type}/:id/subscriptions`
      v4.get(at, { schema: operations.list }, (request) => list(ctx, type, request))
      const followers = { ...operations.list, operationId: `${singular}.followers.list` }
      v4.get(`/${type}/:id/followers`, { schema: followers }, (request) => list(ctx, type, request))
      v4.put(at, { schema: operations.follow }, async ({ actor, params }, reply) => {
        await follow(ctx, actor, type, params.id)
        return reply.code(204).send()
      })
      v4.delete(at, { schema: operations.unfollow }, async ({ actor, params }, reply) => {
        await unfollow(ctx, actor, params.id)
        return reply.code(204).send()
      })
    }
  }
}

async function list(
  ctx: Context,
  type: FollowedType,
  request: RequestOf<ReturnType<typeof operationsOf>['list']>,
) {
  requirePaid(ctx, request.actor)
  const page = pageOf(request.query)
  const ids = await listFollowers(ctx, request.actor, type, request.params.id)
  const shown = ids.slice(page.offset, page.offset + page.limit)
  return {
    ...countedPage(request, page, ids.length),
    _embedded: { subscriptions: shown.map((subscriber_id) => ({ subscriber_id, type: 'user' as const })) },
  }
}

const Followed = Type.Object({
  records: Type.Array(
    Type.Object(
      { entity_type: Type.Enum([...followedTypes]), entity_id: Type.Integer() },
      { title: 'FollowedRecord' },
    ),
  ),
})

/** The records that the person follows, for the web application, which tells them about changes. */
export function followedRoutes(ctx: Context): FastifyPluginAsyncTypebox {
  return async (web) => {
    web.get('/followed', { schema: { response: { 200: Followed } } }, async ({ actor }) => ({
      records: (await listFollowed(ctx, actor)).map(({ entity_type, entity_id }) => ({
        entity_type: entity_type as FollowedType,
        entity_id,
      })),
    }))
  }
}
