import type { FastifyPluginAsync } from 'fastify'
import { reasons } from '../http/problem.ts'
import { problemCodes } from '../http/problem-codes.ts'
import { tokenRefusals } from '../integrations/integrations.ts'

/** Public routes: the health check and the documentation of errors. */
export function publicSurface(): FastifyPluginAsync {
  return async (app) => {
    app.get('/healthz', { config: { any_host: true } }, async () => ({ status: 'ok' }))
    app.get('/docs/errors', async (_request, reply) => {
      reply.type('text/html; charset=utf-8').header('content-security-policy', "default-src 'none'")
      return errorsPage
    })
  }
}

const internal = {
  status: 500,
  title: 'Internal Server Error',
  meaning: 'Something went wrong on our side. The operator of the server can find the request id in its log.',
}

/** Every code that the `type` of a problem can end with, with its status and meaning. */
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
