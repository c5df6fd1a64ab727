import { createHash } from 'node:crypto'
import type { FastifyPluginAsync } from 'fastify'
import { RULES_AT, rulesAsHtml } from '../request-log/request-log.ts'

/** Public routes: the health check and the documentation of errors. */
export function publicSurface(): FastifyPluginAsync {
  return async (app) => {
    app.get('/healthz', { config: { any_host: true } }, async () => ({ status: 'ok' }))
    app.get(RULES_AT, async (_request, reply) => {
      reply.type('text/html; charset=utf-8').header('content-security-policy', POLICY)
      return rulesPage
    })
  }
}

/** The rule that the address names is marked. */
const STYLE = `:root{color-scheme:light dark}
body{margin:0;font:14px/1.5 system-ui,sans-serif}
main{max-width:760px;margin:0 auto;padding:32px 20px 50vh}
h1{font-size:20px}h2{margin:32px 0 8px;font-size:16px}
dt{margin-top:12px;padding:2px 8px;font:600 13px ui-monospace,monospace;scroll-margin-top:24px}
dd{margin:0;padding:0 8px}code{font:13px ui-monospace,monospace}
dt:target,dt:target+dd{background:light-dark(#e6f2f3,#12292d)}`
const POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; img-src 'self'`
const rulesPage = rulesAsHtml(STYLE)
