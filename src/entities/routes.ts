import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Context } from '../context.ts'
import { complexRoutes } from './complex-routes.ts'
import { entityRoutes } from './entity-routes.ts'
import { cardTypes } from './entity-types.ts'
import { linkRoutes } from './link-routes.ts'
import { mergeRoutes } from './merge-routes.ts'
import type { Neighbours } from './neighbours.ts'
import { searchRoutes } from './search-routes.ts'
import { tagRoutes } from './tag-routes.ts'
import { totalRoutes } from './total-routes.ts'
import { transactionRoutes } from './transaction-routes.ts'

/** The records with cards, and what all of them have: tags, links, the trash, merging. */
export function recordRoutes(ctx: Context, neighbours: Neighbours): FastifyPluginAsyncTypebox {
  return async (v4) => {
    for (const type of cardTypes) {
      await v4.register(entityRoutes(ctx, type, neighbours))
      await v4.register(totalRoutes(ctx, type))
      await v4.register(tagRoutes(ctx, type))
      await v4.register(linkRoutes(ctx, type))
    }
    await v4.register(searchRoutes(ctx))
    await v4.register(complexRoutes(ctx, neighbours))
    await v4.register(transactionRoutes(ctx))
    await v4.register(mergeRoutes(ctx, neighbours))
  }
}
