import Fastify, { type FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import type { Db } from '../db/database.ts'
import { followMasterKey } from '../db/master-key.ts'
import { pools } from '../db/pools.ts'
import type { Lifecycle } from './request.ts'

/** The operators' server on its own address: `/healthz`, `/readyz` and `/metrics`. */
export function createOperatorServer(ctx: Context, lifecycle: Lifecycle): FastifyInstance {
  const app = Fastify({ forceCloseConnections: true })
  const stateOf = (db: Db | null) => () => {
    const pool = db ? pools.get(db) : undefined
    return pool ? { ...pool() } : null
  }
  const { watch } = ctx.metrics
  const help = 'Database connections, open and idle, and statements that wait for one.'
  watch('patchbay_database_connections', help, stateOf(ctx.db), 'state')
  watch('patchbay_replica_connections', 'The same for the replica.', stateOf(ctx.replica), 'state')
  app.get('/healthz', async () => ({ status: 'ok' }))
  app.get('/readyz', async (_request, reply) => {
    if (lifecycle.draining) return reply.code(503).send({ status: 'draining' })
    try {
      // Reads one row. After a change of the key, a server without it cannot check signatures or open secrets.
      const isKnown = await followMasterKey(ctx.db, ctx.vault)
      return isKnown === false ? reply.code(503).send({ status: 'no master key' }) : { status: 'ready' }
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
