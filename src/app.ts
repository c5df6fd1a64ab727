import type { FastifyInstance } from 'fastify'
import { sweepPasswordLinks, sweepSessions } from './accounts/accounts.ts'
import { automationUpkeep, createAutomation } from './automation/automation.ts'
import { sweepCallNotices } from './call-notices/call-notices.ts'
import type { Context } from './context.ts'
import { indexUpkeep } from './db/index-upkeep.ts'
import { followMasterKey } from './db/master-key.ts'
import { deliveryKinds } from './delivery-kinds.ts'
import { driveUpkeep, watchFiles } from './drive/drive.ts'
import { eraseValues, refreshSegments } from './entities/entities.ts'
import { sweepKeys } from './http/idempotency.ts'
import { createOperatorServer } from './http/operator.ts'
import { createServer } from './http/server.ts'
import { watchServer } from './http/server-metrics.ts'
import { upkeep, writeUses } from './integrations/integrations.ts'
import { createJobRunner, jobUpkeep } from './jobs/jobs.ts'
import type { LeasedRunner } from './leased-runner.ts'
import { sweepVisits } from './marketing/marketing.ts'
import { createDeliveries, type Deliveries } from './outbound/deliveries.ts'
import { requestLogOf, requestLogUpkeep } from './request-log/request-log.ts'
import { chatSurface } from './surfaces/chat.ts'
import { driveSurface } from './surfaces/drive.ts'
import { legacySurface } from './surfaces/legacy.ts'
import { oauth2Surface } from './surfaces/oauth2.ts'
import { watchRoutes } from './surfaces/openapi/served-routes.ts'
import { openApiSurface } from './surfaces/openapi-description.ts'
import { publicSurface } from './surfaces/public.ts'
import { recorded } from './surfaces/record-traffic.ts'
import { testingSurface } from './surfaces/testing.ts'
import { traceRequests } from './surfaces/trace-requests.ts'
import { v2Surface } from './surfaces/v2.ts'
import { v4Surface } from './surfaces/v4.ts'
import { visitorSurface } from './surfaces/visitors.ts'
import { webSurface } from './surfaces/web.ts'
import { queueAnnounced, sweepListeners, sweepOrders } from './webhooks/webhooks.ts'

export interface App {
  http: FastifyInstance
  /** The operator's server, which listens on its own address. */
  operator: FastifyInstance
  deliveries: Deliveries
  /** Runs imports and bulk changes. */
  runner: LeasedRunner
  /** Carries out the actions of stages. */
  automation: LeasedRunner
  /** Periodic tasks, such as deleting expired rows and checking redirect URIs. */
  chores: Chore[]
}

export interface Chore {
  name: string
  every_seconds: number
  /** Whether each process does it, and not only one for all. */
  is_of_process?: boolean
  run(): Promise<void>
}

export type Workers = Pick<App, 'deliveries' | 'runner' | 'automation'>

/** Builds the server without listening. Tests call it like the program. */
export async function buildApp(ctx: Context): Promise<App> {
  return { ...(await buildServer(ctx)), ...createWorkers(ctx) }
}

/** The workers of the queues. A commit that queues work wakes them. */
export function createWorkers(ctx: Context): Workers {
  const deliveries = createDeliveries(ctx, deliveryKinds(ctx), { feed: () => queueAnnounced(ctx) })
  ctx.queued.onRing(() => deliveries.wake())
  const runner = createJobRunner(ctx)
  ctx.jobs_due.onRing(() => runner.wake())
  const automation = createAutomation(ctx)
  ctx.rules_due.onRing(() => automation.wake())
  watchFiles(ctx)
  watchServer(ctx)
  return { deliveries, runner, automation }
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
  await http.register(recorded(ctx, driveSurface(ctx), '/drive'))
  await http.register(recorded(ctx, legacySurface(ctx), '/private/api/v2/json'))
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
  const sessions = { name: 'expired sessions', every_seconds: 3_600, run: () => sweepSessions(ctx) }
  const links = { name: 'expired password links', every_seconds: 3_600, run: () => sweepPasswordLinks(ctx) }
  const values = { name: 'values of deleted fields', every_seconds: 3, run: () => eraseValues(ctx) }
  const segments = { name: 'segments with a filter', every_seconds: 300, run: () => refreshSegments(ctx) }
  const calls = { name: 'old call notices', every_seconds: 3_600, run: () => sweepCallNotices(ctx) }
  const visits = { name: 'old visits', every_seconds: 3_600, run: () => sweepVisits(ctx) }
  const keys = { name: 'expired idempotency keys', every_seconds: 3_600, run: () => sweepKeys(ctx) }
  const orders = { name: 'ended orders of webhooks', every_seconds: 3_600, run: () => sweepOrders(ctx) }
  const listeners = { name: 'listeners that left', every_seconds: 60, run: () => sweepListeners(ctx) }
  const key = {
    name: 'the master key in use',
    every_seconds: 60,
    is_of_process: true,
    run: async () => {
      if ((await followMasterKey(ctx.db, ctx.vault)) === false) throw new Error(CHANGED_KEY)
    },
  }
  const chores = [
    key,
    values,
    segments,
    calls,
    sessions,
    links,
    visits,
    keys,
    orders,
    listeners,
    ...indexUpkeep(ctx),
    ...driveUpkeep(ctx),
    ...jobUpkeep(ctx),
    ...automationUpkeep(ctx),
    ...upkeep(ctx),
    ...requestLogUpkeep(ctx),
  ]
  return { http, operator, chores }
}

const CHANGED_KEY =
  'The master key of the database was changed to one that this server does not have. Restart it with MASTER_KEY and MASTER_KEY_PREVIOUS.'
