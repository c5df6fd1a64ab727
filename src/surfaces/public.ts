import type { FastifyPluginAsync } from 'fastify'
import { sql } from 'kysely'
import type { Context } from '../context.ts'
import { reasons } from '../http/problem.ts'

const probed = { config: { any_host: true } }

/** What anybody may ask: whether the server lives, and what its refusals mean. */
export function publicSurface(ctx: Context): FastifyPluginAsync {
  return async (app) => {
    app.get('/healthz', probed, async () => ({ status: 'ok' }))
    app.get('/readyz', probed, async (_request, reply) => {
      if (app.lifecycle.draining) return reply.code(503).send({ status: 'draining' })
      try {
        await sql`select 1`.execute(ctx.db)
        return { status: 'ready' }
      } catch {
        return reply.code(503).send({ status: 'no database' })
      }
    })
    app.get('/metrics', probed, async (_request, reply) => {
      reply.type(ctx.metrics.registry.contentType)
      return ctx.metrics.registry.metrics()
    })
    app.get('/docs/errors', async (_request, reply) => {
      reply.type('text/html; charset=utf-8').header('content-security-policy', "default-src 'none'")
      return errorsPage
    })
  }
}

const documented = {
  ...reasons,
  internal: {
    status: 500,
    title: 'Internal Server Error',
    meaning: 'Something went wrong on our side. Whoever runs the server finds the request id in its log.',
  },
}

const errorsPage = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Errors</title><h1>Errors</h1><dl>${Object.entries(
  documented,
)
  .map(([name, { status, title, meaning }]) => `<dt id="${name}">${status} ${title}</dt><dd>${meaning}</dd>`)
  .join('')}</dl></html>`
