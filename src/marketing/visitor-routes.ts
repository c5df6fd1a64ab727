import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { networkOf } from '../http/limits/rate-limit.ts'
import type { QueryValue } from '../http/queries/bracket-query.ts'
import { findShortLink, recordFollowing } from './short-links.ts'
import { goneHtml, PAGE_HEADERS } from './visitor-page.ts'
import { recordVisit } from './visitors.ts'

/** Sends a page with headers against storing and framing. */
export const sendPage = (reply: FastifyReply, status: number, html: string): FastifyReply =>
  reply.code(status).headers(PAGE_HEADERS).send(html)

export const sendGone = (request: FastifyRequest, reply: FastifyReply): FastifyReply =>
  sendPage(reply, 404, goneHtml(request.headers['accept-language']))

/** Excludes browser prefetches and programs that use HEAD. */
const isVisitor = ({ method, headers }: FastifyRequest): boolean =>
  method === 'GET' && !/\bprefetch\b/.test(String(headers['sec-purpose'] ?? headers.purpose ?? ''))

/**
 * Short links and the visitor pixel, which are opened by visitors' browsers. Known links always redirect, and the pixel
 * is always sent. Unknown addresses are guesses and are rate-limited.
 */
export function visitorRoutes(ctx: Context): FastifyPluginAsync {
  return async (app) => {
    const isCounted = async (request: FastifyRequest): Promise<boolean> =>
      isVisitor(request) && ctx.limits.allows('visitor', networkOf(request.ip))

    app.get('/s/:token', async (request, reply) => {
      const { token } = request.params as { token: string }
      const link = await findShortLink(ctx, token, request.tenant.subdomain)
      if (!link) {
        await ctx.limits.take('visitor', networkOf(request.ip))
        return sendGone(request, reply)
      }
      request.account_id = link.account_id
      if ((await isCounted(request)) && (await ctx.limits.allows('visitor_record', `link ${token}`)))
        await recordFollowing(ctx, link, request.id)
      return reply
        .header('referrer-policy', 'no-referrer')
        .header('cache-control', 'no-store')
        .header('x-robots-tag', 'noindex, nofollow')
        .redirect(link.url, 302)
    })

    app.get('/px/:file', async (request, reply) => {
      const [, visitor_uid] = /^(.*)\.gif$/.exec((request.params as { file: string }).file) ?? []
      if (visitor_uid === undefined) {
        await ctx.limits.take('visitor', networkOf(request.ip))
        return reply.callNotFound()
      }
      const { url, account } = request.query as Record<string, QueryValue | undefined>
      // If the host has no account, the query can name one.
      const subdomain = request.tenant.subdomain ?? account
      if (typeof url === 'string' && typeof subdomain === 'string' && (await isCounted(request)))
        await recordVisit(ctx, { subdomain, visitor_uid, url, request_id: request.id })
      return reply.headers(PIXEL_HEADERS).send(PIXEL)
    })
  }
}

/** A transparent pixel. */
const PIXEL = Buffer.from('R0lGODlhAQABAIAAAP///wAAACH5BAEAAAAALAAAAAABAAEAAAICRAEAOw==', 'base64')

/** Can be embedded in pages of every site and is never cached. */
const PIXEL_HEADERS = {
  'content-type': 'image/gif',
  'cache-control': 'no-store',
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
}
