import type { FastifyInstance } from 'fastify'
import { sweepSessions } from './accounts/accounts.ts'
import { chatDeliveries } from './chats/chats.ts'
import type { Context } from './context.ts'
import { driveUpkeep } from './drive/drive.ts'
import { sweepKeys } from './http/idempotency.ts'
import { createServer } from './http/server.ts'
import { upkeep } from './integrations/integrations.ts'
import { createJobRunner, type JobRunner, jobUpkeep } from './jobs/jobs.ts'
import { sweepVisits } from './marketing/marketing.ts'
import { createDeliveries, type Deliveries } from './outbound/deliveries.ts'
import { chatSurface } from './surfaces/chat.ts'
import { driveSurface } from './surfaces/drive.ts'
import { legacySurface } from './surfaces/legacy.ts'
import { oauth2Surface } from './surfaces/oauth2.ts'
import { watchRoutes } from './surfaces/openapi/served-routes.ts'
import { openApiSurface } from './surfaces/openapi-description.ts'
import { publicSurface } from './surfaces/public.ts'
import { v4Surface } from './surfaces/v4.ts'
import { visitorSurface } from './surfaces/visitors.ts'
import { webSurface } from './surfaces/web.ts'

export interface App {
  http: FastifyInstance
  deliveries: Deliveries
  /** Imports and bulk changes. */
  runner: JobRunner
  /** What has to be done from time to time: sweeping what has expired, asking whether redirect URIs answer. */
  chores: Chore[]
}

export interface Chore {
  name: string
  every_seconds: number
  run(): Promise<void>
}

/** The server in its parts, listening to nothing yet. Tests call it as the program does. */
export async function buildApp(ctx: Context): Promise<App> {
  const http = createServer(ctx)
  watchRoutes(http)
  const deliveries = createDeliveries(ctx, { chat_message: chatDeliveries(ctx) })
  ctx.queued.onRing(() => deliveries.wake())
  const runner = createJobRunner(ctx)
  ctx.jobs_due.onRing(() => runner.wake())
  await http.register(publicSurface(ctx))
  await http.register(openApiSurface(ctx))
  await http.register(visitorSurface(ctx))
  await http.register(oauth2Surface(ctx))
  await http.register(v4Surface(ctx), { prefix: '/api/v4' })
  await http.register(driveSurface(ctx), { prefix: '/drive' })
  await http.register(legacySurface(ctx), { prefix: '/private/api/v2/json' })
  await http.register(chatSurface(ctx), { prefix: '/v2/origin/custom' })
  await http.register(webSurface(ctx))
  await http.ready()
  const sessions = { name: 'expired sessions', every_seconds: 3_600, run: () => sweepSessions(ctx) }
  const visits = { name: 'old visits', every_seconds: 3_600, run: () => sweepVisits(ctx) }
  const keys = { name: 'expired idempotency keys', every_seconds: 3_600, run: () => sweepKeys(ctx) }
  const chores = [sessions, visits, keys, ...driveUpkeep(ctx), ...jobUpkeep(ctx), ...upkeep(ctx)]
  return { http, deliveries, runner, chores }
}
