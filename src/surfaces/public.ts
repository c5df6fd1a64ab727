import type { FastifyPluginAsync } from 'fastify'
import { reasons } from '../http/problem.ts'
import { problemCodes } from '../http/problem-codes.ts'
import { tokenRefusals } from '../integrations/integrations.ts'

/** What anybody may ask: whether the server lives, and what its refusals mean. */
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
