import { createHash } from 'node:crypto'
import type { FastifyPluginAsync } from 'fastify'
import type { Context } from '../context.ts'
import { isKnown, setETag } from '../http/preconditions.ts'
import { readShell, sendShell } from '../http/shell.ts'
import { describe, type OpenApi } from './openapi/document.ts'

/**
 * The API description: `/api/openapi.json` for programs, written when it is first asked for, and `/api/reference` for
 * people, who can try it there.
 */
export function openApiSurface(ctx: Context): FastifyPluginAsync {
  return async (app) => {
    let written: Promise<{ text: string; version: string }> | undefined
    app.get('/api/openapi.json', { config: { any_host: true } }, async (request, reply) => {
      written ??= describe(app.servedRoutes, ctx.config).then(write)
      const { text, version } = await written
      setETag(reply, version)
        .header('cache-control', 'public, max-age=300')
        .header('access-control-allow-origin', '*')
      if (isKnown(request, version)) return reply.code(304).send()
      return reply.type('application/json').send(text)
    })
    let page: string | undefined
    app.get('/api/reference', (_request, reply) => {
      page ??= readShell(undefined, 'reference.html')
      // The renderer writes style attributes into markup: the numbers of lines, and the icons of languages (Q38).
      return sendShell(reply, { styleAttributes: true }, page)
    })
  }
}

function write(document: OpenApi): { text: string; version: string } {
  const text = JSON.stringify(document)
  return { text, version: createHash('sha256').update(text).digest('base64url').slice(0, 22) }
}
