import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { negotiate } from '@fastify/accept-negotiator'
import type { FastifyPluginAsync } from 'fastify'
import type { Context } from '../context.ts'
import { isKnown, setETag } from '../http/preconditions.ts'
import { readShell, sendShell } from '../http/shell.ts'
import { describe, type OpenApi } from './openapi/document.ts'

/** The API description in the forms in which it is sent, each made when it is first asked for. */
interface Written {
  json: Buffer
  version: string
  compressed: Partial<Record<Encoding, Promise<Buffer>>>
}

/** A level above this one takes longer than it saves. */
const BROTLI_QUALITY = 6
const compressors = {
  br: (json: Buffer) =>
    promisify(brotliCompress)(json, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
  gzip: promisify(gzip) as (json: Buffer) => Promise<Buffer>,
}
type Encoding = keyof typeof compressors
const encodings = Object.keys(compressors) as Encoding[]

/**
 * The API description: `/api/openapi.json` for programs, written when it is first asked for and compressed for those that
 * accept it, and `/api/reference` for people, who can try it there.
 */
export function openApiSurface(ctx: Context): FastifyPluginAsync {
  return async (app) => {
    let written: Promise<Written> | undefined
    app.get('/api/openapi.json', { config: { any_host: true } }, async (request, reply) => {
      written ??= describe(app.servedRoutes, ctx.config).then(write)
      const { json, version, compressed } = await written
      const encoding = negotiate(request.headers['accept-encoding'] ?? '', encodings)
      const sent = encoding ? `${version}-${encoding}` : version
      setETag(reply, sent)
        .header('cache-control', 'public, max-age=300')
        .header('access-control-allow-origin', '*')
        .header('vary', 'accept-encoding')
      if (isKnown(request, sent)) return reply.code(304).send()
      reply.type('application/json; charset=utf-8')
      if (!encoding) return reply.send(json)
      compressed[encoding] ??= compressors[encoding](json)
      return reply.header('content-encoding', encoding).send(await compressed[encoding])
    })
    let page: string | undefined
    app.get('/api/reference', (_request, reply) => {
      page ??= readShell(undefined, 'reference.html')
      // The renderer writes style attributes into markup: the numbers of lines, and the icons of languages (Q38).
      return sendShell(reply, { styleAttributes: true }, page)
    })
  }
}

function write(document: OpenApi): Written {
  const json = Buffer.from(JSON.stringify(document))
  const version = createHash('sha256').update(json).digest('base64url').slice(0, 22)
  return { json, version, compressed: {} }
}
