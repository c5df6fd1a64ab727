import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Context } from '../context.ts'
import { audienceRoutes } from './audience-routes.ts'
import { complexRoutes } from './complex-routes.ts'
import { entityRoutes } from './entity-routes.ts'
import { cardTypes } from './entity-types.ts'
import { linkRoutes } from './link-routes.ts'
import { shortLinkRoutes } from './short-link-routes.ts'
import { surveyRoutes } from './survey-routes.ts'
import { tagRoutes } from './tag-routes.ts'

/** The records with cards, and what all of them have: tags, links, the trash. */
export function recordRoutes(ctx: Context): FastifyPluginAsyncTypebox {
  return async (v4) => {
    for (const type of cardTypes) {
      await v4.register(entityRoutes(ctx, type))
      await v4.register(tagRoutes(ctx, type))
      await v4.register(linkRoutes(ctx, type))
    }
    await v4.register(complexRoutes(ctx))
    await v4.register(audienceRoutes(ctx))
    await v4.register(shortLinkRoutes(ctx))
    await v4.register(surveyRoutes(ctx))
  }
}
