import type { FastifyPluginAsync } from 'fastify'
import type { Context } from '../context.ts'
import { surveyPageRoutes } from '../marketing/survey-page-routes.ts'
import { visitorRoutes } from '../marketing/visitor-routes.ts'

/** What the account's customers open, who have no name here: short links, the pixel of their pages, surveys. */
export function visitorSurface(ctx: Context): FastifyPluginAsync {
  return async (app) => {
    await app.register(visitorRoutes(ctx))
    await app.register(surveyPageRoutes(ctx))
  }
}
