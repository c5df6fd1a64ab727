import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { Refusal } from '../errors.ts'
import { networkOf } from '../http/limits/rate-limit.ts'
import { isKnown } from '../http/preconditions.ts'
import { docsOf, sendProblem } from '../http/problems/problem.ts'
import { type Download, findDownload } from './downloads.ts'
import { dispositionOf } from './file-names.ts'
import { type FileUses, visibleFile } from './file-rights.ts'
import { ACTIVE, isLink } from './links.ts'
import { ByUuid, ByVersion, LinkPath } from './schemas.ts'

/** The words of a response that is the content of a file, whole or in part. */
const bytes = {
  requestHeaders: {
    Range: 'A part of the file, as `bytes=0-1023`.',
    'If-None-Match': 'The ETag of a copy that the caller has.',
  },
  otherResponses: {
    200: { description: 'The file.', content: { '*/*': 'The content of the file.' } },
    206: { description: 'The requested part of the file.', content: { '*/*': 'A part of the content.' } },
    304: { description: 'The copy is current.' },
    416: { description: 'The file has no such part.', problem: true },
  },
} as const

const operations = {
  download: {
    operationId: 'files.download',
    summary: 'Sends one file.',
    tags: ['Files'],
    ...bytes,
    params: ByUuid,
  },
  versionsDownload: {
    operationId: 'file.versions.download',
    summary: 'Sends one version of one file.',
    tags: ['Files'],
    ...bytes,
    params: ByVersion,
  },
  downloadByLink: {
    operationId: 'files.download_by_link',
    summary: 'Sends one file, or a preview of it, to anyone with the link.',
    tags: ['Files'],
    ...bytes,
    security: [],
    params: LinkPath,
  },
}

/** Downloads for authenticated callers. */
export function downloadRoutes(ctx: Context, uses: FileUses): FastifyPluginAsyncTypebox {
  return async (drive) => {
    drive.get('/v1.0/files/:uuid/download', { schema: operations.download }, async (request, reply) => {
      const { account_id, uuid } = await visibleFile(ctx.db, request.actor, uses, request.params.uuid)
      const linked = { account_id, file_uuid: uuid, what: ACTIVE }
      return send(request, reply, await findDownload(ctx, linked))
    })
    drive.get(
      '/v1.0/files/:uuid/versions/:version_uuid/download',
      { schema: operations.versionsDownload },
      async (request, reply) => {
        const { version_uuid } = request.params
        const { account_id, uuid } = await visibleFile(ctx.db, request.actor, uses, request.params.uuid)
        const linked = { account_id, file_uuid: uuid, what: version_uuid }
        return send(request, reply, await findDownload(ctx, linked))
      },
    )
  }
}

/** Downloads by a signed link, without a token or session. */
export function linkRoutes(ctx: Context): FastifyPluginAsyncTypebox {
  return async (app) => {
    // The URL ends in the file name, which browsers use if they ignore Content-Disposition.
    app.get(
      '/download/:account_id/:file_uuid/:what/:expires/:signature/*',
      { schema: operations.downloadByLink },
      async (request, reply) => {
        const { account_id } = request.params
        const network = networkOf(request.ip)
        const isOurs = isLink(ctx, request.params)
        await ctx.limits.take('visitor', isOurs ? `${network} ${account_id}` : network)
        if (!isOurs) throw new Refusal('not_found', 'This link is invalid or has expired.')
        request.account_id = account_id
        return send(request, reply, await findDownload(ctx, request.params))
      },
    )
  }
}

/**
 * Sends a file as an attachment and never as a page of this origin, because its content is untrusted. Interrupted
 * clients can request the rest (RFC 9110, 14).
 */
async function send(request: FastifyRequest, reply: FastifyReply, download: Download): Promise<FastifyReply> {
  const { size, mime_type } = download
  const tag = `"${download.tag}"`
  const validity = { 'cache-control': 'private, max-age=300', etag: tag }
  if (isKnown(request, download.tag)) return reply.headers(validity).code(304).send()
  const range = rangeOf(request, tag, size)
  if (range === 'beyond') {
    reply.header('content-range', `bytes */${size}`)
    sendProblem(reply, {
      title: 'Range Not Satisfiable',
      type: `${docsOf(request)}#invalid`,
      status: 416,
      detail: `The file has ${size} bytes.`,
    })
    return reply
  }
  // Before any header is set: a refusal must not be kept for five minutes as if it were the file.
  const content = request.method === 'HEAD' ? null : await download.open(range ?? undefined)
  reply.type(mime_type).headers({
    ...validity,
    'content-disposition': dispositionOf(download),
    'content-security-policy': "default-src 'none'; sandbox",
    'accept-ranges': 'bytes',
    'content-length': range ? range.end - range.start : size,
  })
  if (range) reply.code(206).header('content-range', `bytes ${range.start}-${range.end - 1}/${size}`)
  return reply.send(content)
}

/** The single requested range; null for the whole file, also if there are several ranges. */
function rangeOf(
  { headers }: FastifyRequest,
  tag: string,
  size: number,
): { start: number; end: number } | 'beyond' | null {
  const condition = headers['if-range']
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(headers.range ?? '') ?? []
  if (first === undefined || last === undefined || (first === '' && last === '')) return null
  if (condition !== undefined && condition !== tag) return null
  if (first === '') return last === '0' ? 'beyond' : { start: Math.max(0, size - Number(last)), end: size }
  if (Number(first) >= size) return 'beyond'
  if (last !== '' && Number(last) < Number(first)) return null
  return { start: Number(first), end: last === '' ? size : Math.min(size, Number(last) + 1) }
}
