import type { FastifyInstance } from 'fastify'
import { createAutomation } from './automation/automation.ts'
import { type Chore, choresOf } from './chores.ts'
import type { Context } from './context.ts'
import { deliveryKinds } from './delivery-kinds.ts'
import { watchFiles } from './drive/drive.ts'
import { createOperatorServer } from './http/operator.ts'
import { createServer } from './http/server.ts'
import { watchServer } from './http/server-metrics.ts'
import { writeUses } from './integrations/integrations.ts'
import { createJobRunner } from './jobs/jobs.ts'
import type { LeasedRunner } from './leased-runner.ts'
import { createDeliveries, type Deliveries } from './outbound/deliveries.ts'
import { requestLogOf } from './request-log/request-log.ts'
import { createRetention, watchSizes } from './retention/retention.ts'
import { chatSurface } from './surfaces/chat.ts'
import { driveSurface } from './surfaces/drive.ts'
import { legacySurface, signInSurface, unsortedSurface } from './surfaces/legacy.ts'
import { oauth2Surface } from './surfaces/oauth2.ts'
import { watchRoutes } from './surfaces/openapi/served-routes.ts'
import { openApiSurface } from './surfaces/openapi-description.ts'
import { publicSurface } from './surfaces/public.ts'
import { recorded } from './surfaces/record-traffic.ts'
import { testingSurface } from './surfaces/testing.ts'
import { traceRequests } from './surfaces/trace-requests.ts'
import { v2Surface } from './surfaces/v2.ts'
import { v3Surface } from './surfaces/v3.ts'
import { v4Surface } from './surfaces/v4.ts'
import { visitorSurface } from './surfaces/visitors.ts'
import { webSurface } from './surfaces/web.ts'
import { fanOut } from './webhooks/webhooks.ts'

export interface App {
  http: FastifyInstance
  /** The operator's server, which listens on its own address. */
  operator: FastifyInstance
  deliveries: Deliveries
  /** Runs imports and bulk changes. */
  runner: LeasedRunner
  /** Carries out the actions of stages. */
  automation: LeasedRunner
  /** Deletes old rows. */
  retention: LeasedRunner
  /** Its periodic tasks. */
  chores: Chore[]
}

export type Workers = Pick<App, 'deliveries' | 'runner' | 'automation' | 'retention'>

/** Builds the server without listening. Tests call it like the program. */
export async function buildApp(ctx: Context): Promise<App> {
  return { ...(await buildServer(ctx)), ...createWorkers(ctx) }
}

/** The workers of the queues. A commit that queues work wakes them. */
export function createWorkers(ctx: Context): Workers {
  const deliveries = createDeliveries(ctx, deliveryKinds(ctx), { feed: fanOut(ctx) })
  ctx.queued.onRing(() => deliveries.wake())
  const runner = createJobRunner(ctx)
  ctx.jobs_due.onRing(() => runner.wake())
  const automation = createAutomation(ctx)
  ctx.rules_due.onRing(() => automation.wake())
  watchFiles(ctx)
  watchServer(ctx)
  watchSizes(ctx)
  return { deliveries, runner, automation, retention: createRetention(ctx) }
}

/** Registers the routes, and returns the periodic tasks. */
export async function buildServer(ctx: Context): Promise<Omit<App, keyof Workers>> {
  const http = createServer(ctx)
  watchRoutes(http)
  traceRequests(ctx, http)
  await http.register(publicSurface())
  await http.register(openApiSurface(ctx))
  await http.register(visitorSurface(ctx))
  await http.register(oauth2Surface(ctx))
  await http.register(recorded(ctx, v4Surface(ctx), '/api/v4'))
  await http.register(recorded(ctx, v2Surface(ctx), '/api/v2'))
  await http.register(recorded(ctx, v3Surface(ctx), '/v3'))
  await http.register(recorded(ctx, driveSurface(ctx), '/drive'))
  await http.register(recorded(ctx, legacySurface(ctx), '/private/api/v2/json'))
  await http.register(recorded(ctx, signInSurface(ctx), '/private/api'))
  await http.register(recorded(ctx, unsortedSurface(ctx), '/api/unsorted'))
  await http.register(recorded(ctx, chatSurface(ctx), '/v2/origin/custom'))
  await http.register(testingSurface(ctx), { prefix: '/test_helpers' })
  await http.register(webSurface(ctx))
  http.addHook('onClose', async () => {
    await writeUses(ctx).catch((err) =>
      ctx.log.warn({ err }, 'could not store the last uses of integrations'),
    )
  })
  await http.ready()
  ctx.metrics.watch(
    'patchbay_requests_unrecorded',
    'Requests that the request log dropped.',
    () => requestLogOf(ctx).dropped,
  )
  const operator = createOperatorServer(ctx, http.lifecycle)
  return { http, operator, chores: choresOf(ctx) }
}
