import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Context } from '../context.ts'
import { mount } from '../http/mount.ts'
import { entityRoutes } from './entity-routes.ts'
import { elementLinkRoutes } from './links/element-link-routes.ts'
import { linkRoutes } from './links/link-routes.ts'
import { mergeRoutes } from './merge/merge-routes.ts'
import { transactionRoutes } from './purchases/transaction-routes.ts'
import { cardTypes } from './records/entity-types.ts'
import { searchRoutes } from './search/search-routes.ts'
import { segmentRoutes } from './segments/segment-routes.ts'
import { tagRoutes } from './tags/tag-routes.ts'
import { totalRoutes } from './totals/total-routes.ts'
import { complexRoutes } from './writing/complex-routes.ts'
import type { RecordHooks } from './writing/hooks.ts'

/** Routes of records with cards, and their common parts: tags, links, trash, merging. */
export function recordRoutes(ctx: Context, hooks: RecordHooks): FastifyPluginAsyncTypebox {
  return async (v4) => {
    await mount(v4, segmentRoutes(ctx))
    for (const type of cardTypes) {
      await mount(v4, entityRoutes(ctx, type, hooks))
      await mount(v4, totalRoutes(ctx, type))
      await mount(v4, tagRoutes(ctx, type))
      await mount(v4, linkRoutes(ctx, type))
    }
    await mount(v4, elementLinkRoutes(ctx))
    await mount(v4, searchRoutes(ctx))
    await mount(v4, complexRoutes(ctx, hooks))
    await mount(v4, transactionRoutes(ctx))
    await mount(v4, mergeRoutes(ctx, hooks))
  }
}
