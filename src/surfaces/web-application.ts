import { existsSync, readdirSync } from 'node:fs'
import fastifyStatic from '@fastify/static'
import type { FastifyError, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../errors.ts'
import { notFoundHandler, problemHandler } from '../http/problem.ts'
import { readShell, sendShell, WEB_FOLDER } from '../http/shell.ts'
import { version } from '../package.ts'

/** Paths of APIs. Unknown addresses below them are problem documents, not pages. */
const MACHINE_PATHS = /^\/(?:api|web|oauth2|private|v2|docs|drive|assets|icons)(?:\/|$)/
/** Pages that keep window.opener, because the consent popup needs it (A8). */
const CONSENT_CHAIN = /^\/(?:oauth|sign-in)(?:\/|$)/

/** The pages and files of the web application, without authentication. `folder` is the build. */
export function webApplication(folder: string = WEB_FOLDER): FastifyPluginAsync {
  return async (app) => {
    const files = publicFiles(folder)
    app.setErrorHandler<FastifyError>((error, request, reply) => {
      // A path outside the folder is simply not found.
      const isOutside = error.statusCode === 403 && !(error instanceof Refusal)
      if (isOutside) notFoundHandler(request, reply)
      else problemHandler(error, request, reply)
    })
    // The names of assets contain a hash of their content.
    if (existsSync(`${folder}/assets`))
      await app.register(fastifyStatic, {
        root: `${folder}/assets`,
        prefix: '/assets/',
        immutable: true,
        // vite.config.ts also writes each asset compressed.
        preCompressed: true,
        maxAge: '1y',
        index: false,
        setHeaders: (reply) => {
          reply.header('cross-origin-resource-policy', 'same-origin')
        },
      })

    let html: string | undefined
    app.get('/*', (request, reply) => {
      const path = request.url.split('?', 1)[0] as string
      if (files.has(path)) return sendFile(reply, folder, path)
      if (path === '/' && !wantsPage(request)) return reply.send(directory(request.origin))
      if (MACHINE_PATHS.test(path) || !wantsPage(request)) return reply.callNotFound()
      html ??= readShell(folder)
      return sendShell(reply, { openerKept: CONSENT_CHAIN.test(path) }, html)
    })
  }
}

/** Files other than pages and assets: the icon, and small scripts that run before the application. */
function publicFiles(folder: string): Set<string> {
  if (!existsSync(`${folder}/assets`)) return new Set()
  const entries = readdirSync(folder, { withFileTypes: true })
  return new Set(
    entries.filter((entry) => entry.isFile() && !entry.name.endsWith('.html')).map(({ name }) => `/${name}`),
  )
}

function sendFile(reply: FastifyReply, folder: string, path: string): FastifyReply {
  return reply
    .header('cross-origin-resource-policy', 'same-origin')
    .sendFile(path.slice(1), folder, { maxAge: '1h', immutable: false })
}

const wantsPage = ({ headers }: FastifyRequest): boolean => (headers.accept ?? '').includes('text/html')

/** The answer for programs at the root of an origin. Browsers get the application. */
const directory = (origin: string) => ({
  name: 'Patchbay',
  version,
  detail:
    'Open this address in a browser for the application. Programs use the API below /api/v4, with an access token.',
  _links: {
    account: { href: `${origin}/api/v4/account` },
    description: { href: `${origin}/api/openapi.json` },
    reference: { href: `${origin}/api/reference` },
    errors: { href: `${origin}/docs/errors` },
  },
})
