import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Context } from '../../context.ts'
import { Self } from '../../http/hal.ts'
import { Paged, pageLinks, pageOf } from '../../http/queries/paging.ts'
import { accountLanguage } from './account-view.ts'
import { currenciesIn } from './currencies.ts'

const Href = Type.Object({ href: Type.String() })
const Currency = Type.Object(
  {
    code: Type.String({ description: 'ISO 4217.' }),
    name: Type.String({ description: 'In the language of the account.' }),
    symbol: Type.String({ description: 'The sign, or the code if the currency has no sign.' }),
  },
  { title: 'Currency' },
)

const operations = {
  list: {
    operationId: 'currencies.list',
    summary: 'Lists the currencies that an account can have.',
    returns: 'One page of currencies in the order of their codes.',
    tags: ['Account'],
    querystring: Paged,
    response: {
      200: Type.Object({
        _page: Type.Integer(),
        _links: Type.Object({
          ...Self.properties,
          prev: Type.Optional(Href),
          next: Type.Optional(Href),
        }),
        _embedded: Type.Object({ currencies: Type.Array(Currency) }),
      }),
    },
  },
}

/** `/currencies`. */
export function currencyRoutes(ctx: Context): FastifyPluginAsyncTypebox {
  return async (v4) => {
    v4.get('/currencies', { schema: operations.list }, async (request) => {
      const page = pageOf(request.query)
      const all = currenciesIn(await accountLanguage(ctx, request.actor))
      const currencies = all.slice(page.offset, page.offset + page.limit)
      const hasNext = all.length > page.offset + page.limit
      return { _page: page.page, _links: pageLinks(request, page, hasNext), _embedded: { currencies } }
    })
  }
}
