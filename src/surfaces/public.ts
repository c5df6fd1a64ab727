import type { FastifyPluginAsync } from 'fastify'
import { sql } from 'kysely'
import type { Context } from '../context.ts'
import { reasons } from '../http/problem.ts'
import { problemCodes } from '../http/problem-codes.ts'
import { tokenRefusals } from '../integrations/integrations.ts'

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

const internal = {
  status: 500,
  title: 'Internal Server Error',
  meaning: 'Something went wrong on our side. Whoever runs the server finds the request id in its log.',
}

/** Every name that the `type` of a problem may end in, with its status and what it means. */
const documented: [name: string, status: number, title: string, meaning: string][] = [
  ...Object.entries({ ...reasons, internal }).map(
    ([name, { status, title, meaning }]): (typeof documented)[number] => [name, status, title, meaning],
  ),
  ...Object.entries(problemCodes).map(([name, [reason, meaning]]): (typeof documented)[number] => [
    name,
    reasons[reason].status,
    name,
    meaning,
  ]),
  ...Object.entries(tokenRefusals).map(([name, [error, hint]]): (typeof documented)[number] => [
    name,
    400,
    error,
    hint,
  ]),
]

const errorsPage = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Errors</title><h1>Errors</h1><dl>${documented
  .map(([name, status, title, meaning]) => `<dt id="${name}">${status} ${title}</dt><dd>${meaning}</dd>`)
  .join('')}</dl></html>`
