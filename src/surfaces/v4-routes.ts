import type { FastifyPluginAsync } from 'fastify'
import { accountRoutes } from '../accounts/routes.ts'
import { hasCatalog } from '../catalogs/catalogs.ts'
import { catalogRoutes } from '../catalogs/routes.ts'
import type { Context } from '../context.ts'
import { customFieldRoutes } from '../custom-fields/routes.ts'
import { hasCustomersIn, hasLeadsIn } from '../entities/entities.ts'
import { mergeRoutes } from '../entities/merge-routes.ts'
import { recordRoutes } from '../entities/routes.ts'
import { moveSources } from '../integrations/integrations.ts'
import { sourceRoutes } from '../integrations/source-routes.ts'
import { pipelineRoutes } from '../pipelines/pipeline-routes.ts'
import { findStages } from '../pipelines/pipelines.ts'
import { taskRoutes } from '../tasks/routes.ts'
import { moveTasks } from '../tasks/tasks.ts'

/** The routes of the v4 API. They are mounted twice: for bearer tokens, and for the session of the web application. */
export const v4Routes: ((ctx: Context) => FastifyPluginAsync)[] = [
  accountRoutes,
  (ctx) => pipelineRoutes(ctx, { hasLeads: hasLeadsIn, hasCustomers: hasCustomersIn, moveSources }),
  (ctx) => customFieldRoutes(ctx, { hasCatalog, findStages }),
  recordRoutes,
  catalogRoutes,
  (ctx) => mergeRoutes(ctx, { moveTasks }),
  taskRoutes,
  sourceRoutes,
]
