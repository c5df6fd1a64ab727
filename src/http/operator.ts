import Fastify, { type FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { Context } from '../context.ts'
import { pools } from '../db/pools.ts'
import type { Lifecycle } from './request.ts'

/** The operators' server on its own address: `/healthz`, `/readyz` and `/metrics`. */
export function createOperatorServer(ctx: Context, lifecycle: Lifecycle): FastifyInstance {
  const app = Fastify({ forceCloseConnections: true })
  const pool = pools.get(ctx.db)
  if (pool)
    ctx.metrics.watch(
      'patchbay_database_connections',
      'Database connections, open and idle, and statements that wait for one.',
      () => ({ ...pool() }),
      'state',
    )
  app.get('/healthz', async () => ({ status: 'ok' }))
  app.get('/readyz', async (_request, reply) => {
    if (lifecycle.draining) return reply.code(503).send({ status: 'draining' })
    try {
      await sql`select 1`.execute(ctx.db)
      return { status: 'ready' }
    } catch {
      return reply.code(503).send({ status: 'no database' })
    }
  })
  app.get('/metrics', async (_request, reply) => {
    reply.type(ctx.metrics.registry.contentType)
    return ctx.readMetrics()
  })
  return app
}
