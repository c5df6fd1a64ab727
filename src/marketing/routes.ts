import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Context } from '../context.ts'
import { mount } from '../http/mount.ts'
import { audienceRoutes } from './audience-routes.ts'
import { shortLinkRoutes } from './short-link-routes.ts'
import { surveyRoutes } from './survey-routes.ts'

/** Advertising audiences, short links and invitations to rate. What visitors open is on a surface of its own. */
export function marketingRoutes(ctx: Context): FastifyPluginAsyncTypebox {
  return async (v4) => {
    await mount(v4, audienceRoutes(ctx))
    await mount(v4, shortLinkRoutes(ctx))
    await mount(v4, surveyRoutes(ctx))
  }
}
