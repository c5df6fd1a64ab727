import type { FastifyPluginAsync } from 'fastify'
import { accountRoutes } from '../accounts/routes.ts'
import type { Context } from '../context.ts'
import { sourceRoutes } from '../integrations/source-routes.ts'

/** The routes of the v4 API. They are mounted twice: for bearer tokens, and for the session of the web application. */
export const v4Routes: ((ctx: Context) => FastifyPluginAsync)[] = [accountRoutes, sourceRoutes]
