import type { FastifyPluginAsync } from 'fastify'
import type { Context } from '../context.ts'
import { formPageRoutes } from '../incoming-leads/form-page-routes.ts'
import { bindVisitors } from '../marketing/marketing.ts'
import { surveyPageRoutes } from '../marketing/survey-page-routes.ts'
import { visitorRoutes } from '../marketing/visitor-routes.ts'

/** Pages for the account's customers, without authentication: short links, the visitor pixel, surveys and forms. */
export function visitorSurface(ctx: Context): FastifyPluginAsync {
  return async (app) => {
    await app.register(visitorRoutes(ctx))
    await app.register(surveyPageRoutes(ctx))
    await app.register(formPageRoutes(ctx, bindVisitors))
  }
}
