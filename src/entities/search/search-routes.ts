import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { requirePaid } from '../../accounts/accounts.ts'
import type { Context } from '../../context.ts'
import { Self, self } from '../../http/hal.ts'
import { baseOf, originOf } from '../../http/queries/paging.ts'
import { loadAccess } from '../records/access.ts'
import { Company, Contact, Customer, Element, Lead } from '../records/record-schemas.ts'
import { searchAcross } from './search-across.ts'

const Query = Type.Object({
  query: Type.String({
    maxLength: 256,
    description: 'Prefixes of words in the name or the fields; all must match.',
  }),
  limit: Type.Integer({ minimum: 1, maximum: 20, default: 10, description: 'The most results per kind.' }),
})

const Found = Type.Object(
  {
    _links: Self,
    _embedded: Type.Object({
      leads: Type.Array(Lead),
      contacts: Type.Array(Contact),
      companies: Type.Array(Company),
      customers: Type.Array(Customer),
      catalog_elements: Type.Array(Element),
    }),
  },
  { title: 'Found' },
)

const operations = {
  search: {
    operationId: 'records.search',
    summary: 'Searches records of all kinds, and shows the best matches of each kind.',
    returns: 'The best matches of each kind.',
    tags: ['Search'],
    querystring: Query,
    response: { 200: Found },
  },
}

/** `/search`: finds records of all kinds at once; ours. */
export function searchRoutes(ctx: Context): FastifyPluginAsyncTypebox {
  return async (v4) => {
    const base = baseOf(v4)
    v4.get('/search', { schema: operations.search }, async (request) => {
      requirePaid(ctx, request.actor)
      const access = await loadAccess(ctx.db, request.actor)
      const { query, limit } = request.query
      const showing = { base: base(request), with: new Set<never>() }
      const found = await searchAcross(ctx.db, access, query, limit, showing)
      return { _links: self(originOf(request) + request.url), _embedded: found } as never
    })
  }
}
