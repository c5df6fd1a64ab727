import type { FastifyPluginAsync } from 'fastify'
import { accountRoutes } from '../accounts/routes.ts'
import type { Context } from '../context.ts'
import { customFieldRoutes } from '../custom-fields/routes.ts'
import { hasCustomersIn, hasLeadsIn } from '../entities/entities.ts'
import { mergeRoutes } from '../entities/merge-routes.ts'
import { recordRoutes } from '../entities/routes.ts'
import { moveSources } from '../integrations/integrations.ts'
import { sourceRoutes } from '../integrations/source-routes.ts'
import { pipelineRoutes } from '../pipelines/pipeline-routes.ts'
import { findStages } from '../pipelines/pipelines.ts'

/** The routes of the v4 API. They are mounted twice: for bearer tokens, and for the session of the web application. */
export const v4Routes: ((ctx: Context) => FastifyPluginAsync)[] = [
  accountRoutes,
  (ctx) => pipelineRoutes(ctx, { hasLeads: hasLeadsIn, hasCustomers: hasCustomersIn, moveSources }),
  (ctx) => customFieldRoutes(ctx, { hasCatalog: async () => false, findStages }),
  recordRoutes,
  (ctx) => mergeRoutes(ctx, { moveTasks: async () => {} }),
  sourceRoutes,
]
