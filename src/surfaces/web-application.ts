import { existsSync, readdirSync } from 'node:fs'
import fastifyStatic from '@fastify/static'
import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import { readShell, sendShell, WEB_FOLDER } from '../http/shell.ts'
import { version } from '../package.ts'

/** Paths of APIs. Unknown addresses below them are problem documents, not pages. */
const MACHINE_PATHS = /^\/(?:api|web|oauth2|private|v2|docs|drive|assets|icons)(?:\/|$)/
/** Pages that keep window.opener, because the consent popup needs it (A8). */
const CONSENT_CHAIN = /^\/(?:oauth|sign-in)(?:\/|$)/

const ASSETS = '/assets/'
/** The names of assets contain a hash of their content. */
const forEver = { maxAge: '1y', immutable: true }
const forAnHour = { maxAge: '1h' }

/** The pages and files of the web application, without authentication. `folder` is the build. */
export function webApplication(folder: string = WEB_FOLDER): FastifyPluginAsync {
  return async (app) => {
    const files = publicFiles(folder)
    if (files.size > 0)
      await app.register(fastifyStatic, {
        root: folder,
        // Routes of the plugin read the folder for each request.
        serve: false,
        // vite.config.ts also writes each asset compressed.
        preCompressed: true,
        setHeaders: (reply) => {
          reply.header('cross-origin-resource-policy', 'same-origin')
        },
      })

    let html: string | undefined
    app.get('/*', (request, reply) => {
      const path = request.url.split('?', 1)[0] as string
      if (files.has(path)) return reply.sendFile(path.slice(1), path.startsWith(ASSETS) ? forEver : forAnHour)
      if (path === '/' && !wantsPage(request)) return reply.send(directory(request.origin))
      if (MACHINE_PATHS.test(path) || !wantsPage(request)) return reply.callNotFound()
      html ??= readShell(folder)
      return sendShell(reply, { openerKept: CONSENT_CHAIN.test(path) }, html)
    })
  }
}

/** The addresses of all files except the page: assets, the icon, and small scripts that run before the application. */
function publicFiles(folder: string): Set<string> {
  const namesIn = (path: string): string[] => {
    if (!existsSync(`${folder}${path}`)) return []
    const entries = readdirSync(`${folder}${path}`, { withFileTypes: true })
    return entries.filter((entry) => entry.isFile()).map(({ name }) => path + name)
  }
  return new Set([...namesIn('/'), ...namesIn(ASSETS)].filter((path) => !path.endsWith('.html')))
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
