import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Context } from '../context.ts'
import { mount } from '../http/mount.ts'
import { audienceRoutes } from './audience-routes.ts'
import { shortLinkRoutes } from './short-link-routes.ts'
import { surveyRoutes } from './survey-routes.ts'

/** Advertising audiences, short links and survey invitations. The pages for visitors are on a separate surface. */
export function marketingRoutes(ctx: Context): FastifyPluginAsyncTypebox {
  return async (v4) => {
    await mount(v4, audienceRoutes(ctx))
    await mount(v4, shortLinkRoutes(ctx))
    await mount(v4, surveyRoutes(ctx))
  }
}
