import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Context } from '../../context.ts'
import {
  answerLinks,
  LinkList,
  LinkPage,
  LinksQuery,
  link,
  linkFiltersOf,
  NewLinks,
  unlink,
} from './link-routes.ts'

const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })
const OfCatalog = Type.Object({ catalog_id: Id, id: Id })
const ELEMENT = '/catalogs/:catalog_id/elements/:id'

const operations = {
  list: {
    operationId: 'catalog.element.links.list',
    summary: 'Lists the links of one element.',
    returns: 'One page of up to a thousand links.',
    tags: ['Links'],
    parameters: linkFiltersOf('catalog_elements'),
    params: OfCatalog,
    querystring: LinksQuery,
    response: { 200: LinkPage },
  },
  link: {
    operationId: 'catalog.elements.link',
    summary: 'Links one element to records.',
    returns: 'The links that were requested, as they are now.',
    tags: ['Links'],
    params: OfCatalog,
    body: NewLinks,
    response: { 200: LinkList },
  },
  unlink: {
    operationId: 'catalog.elements.unlink',
    summary: 'Removes links of one element.',
    returns: 'The links were removed.',
    tags: ['Links'],
    params: OfCatalog,
    body: NewLinks,
  },
}

const kindOf = ({ params }: { params: { catalog_id: number } }) =>
  ({ type: 'catalog_elements', catalog_id: params.catalog_id }) as const

/** The links of an element, below the address of its list. */
export function elementLinkRoutes(ctx: Context): FastifyPluginAsyncTypebox {
  return async (v4) => {
    v4.get(`${ELEMENT}/links`, { schema: operations.list }, (request) =>
      answerLinks(ctx, kindOf(request), request),
    )
    v4.post(`${ELEMENT}/link`, { schema: operations.link }, (request) => link(ctx, kindOf(request), request))
    v4.post(`${ELEMENT}/unlink`, { schema: operations.unlink }, async (request, reply) => {
      await unlink(ctx, kindOf(request), request)
      return reply.code(204).send()
    })
  }
}
