import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { requirePaid, withActing } from '../../accounts/accounts.ts'
import type { Context } from '../../context.ts'
import { type QueryValue, withNames } from '../../http/queries/bracket-query.ts'
import type { ListQuery } from '../lists/conditions.ts'
import { totalledCards } from '../lists/list-parameters.ts'
import { loadAccess } from '../records/access.ts'
import { type CardType, entityTypes } from '../records/entity-types.ts'
import { Totals, totalsOf } from './totals.ts'

/** The parameters that select the records of a list; parsed like those of the list. */
export const TotalsQuery = Type.Object({
  with: Type.Optional(Type.Unknown()),
  filter: Type.Optional(Type.Unknown()),
  query: Type.Optional(Type.Unknown()),
})

const operation = (type: CardType) => ({
  operationId: `${type}.totals.get`,
  summary: `Counts the ${type} that match the query of the list, and adds up their values.`,
  returns: `The number of ${type} and the sum of their values.`,
  tags: entityTypes[type].tags,
  ...totalledCards(type),
  querystring: TotalsQuery,
  response: { 200: Totals },
})

/** `/{kind}/totals`: the count and the sums of the list with the same query; ours. */
export function totalRoutes(ctx: Context, type: CardType): FastifyPluginAsyncTypebox {
  return async (v4) => {
    v4.get(`/${type}/totals`, { schema: operation(type) }, async (request) => {
      requirePaid(ctx, request.actor)
      const access = await loadAccess(ctx.db, request.actor)
      const query = await withActing(ctx, request.query as ListQuery & { with?: QueryValue })
      const in_trash = withNames(query.with, ['only_deleted']).size > 0
      return totalsOf({ db: ctx.db, access, type, in_trash }, query)
    })
  }
}
