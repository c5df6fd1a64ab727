import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Context } from '../context.ts'
import { BATCH_BODY, batchOf, RequestId } from '../entities/records/draft-schemas.ts'
import { ListOf, wholeList, withRequestIds } from '../http/hal.ts'
import { baseOf } from '../http/queries/paging.ts'
import { addShortLinks, shortUrl } from './short-links.ts'

const Metadata = Type.Object({
  entity_type: Type.Literal('contacts'),
  entity_id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
})
const NewShortLink = Type.Object({
  url: Type.String({ minLength: 1, maxLength: 2_048 }),
  metadata: Metadata,
  request_id: RequestId,
})
const ShortLink = Type.Object({
  url: Type.String(),
  account_id: Type.Integer(),
  metadata: Metadata,
  request_id: RequestId,
})

const NewShortLinks = Type.Array(NewShortLink, batchOf)

const operations = {
  create: {
    operationId: 'short_links.create',
    summary: 'Creates short links. A visit through one is recorded on a contact.',
    returns: 'The new short links.',
    tags: ['Marketing'],
    requestBody: { 'application/json': Type.Union([NewShortLinks, NewShortLink]) },
    body: NewShortLinks,
    response: { 200: ListOf('short_links', ShortLink) },
  },
}

export function shortLinkRoutes(ctx: Context): FastifyPluginAsyncTypebox {
  return async (v4) => {
    const base = baseOf(v4)
    const route = {
      bodyLimit: BATCH_BODY,
      // One link can be sent without an array. The answer is a list in either case.
      preValidation: async (request: FastifyRequest) => {
        if (!Array.isArray(request.body)) request.body = [request.body]
      },
      schema: operations.create,
    }
    v4.post('/short_links', route, async (request) => {
      const { actor, body } = request
      const rows = await addShortLinks(ctx, actor, body)
      const links = rows.map((row) => ({
        url: shortUrl(ctx, actor.subdomain, row),
        account_id: row.account_id,
        metadata: { entity_type: 'contacts' as const, entity_id: row.entity_id },
      }))
      return wholeList('short_links', withRequestIds(links, body), `${base(request)}/short_links`)
    })
  }
}
