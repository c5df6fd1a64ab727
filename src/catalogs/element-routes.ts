import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Context } from '../context.ts'
import { type ListQuery, moveToTrash, restore } from '../entities/entities.ts'
import { Element } from '../entities/record-schemas.ts'
import { type QueryValue, withNames } from '../http/bracket-query.ts'
import { Self, self } from '../http/hal.ts'
import { baseOf, pageOf, positionOf, Walked, WalkedList, walkedPage } from '../http/paging.ts'
import {
  addElements,
  changeElements,
  listElements,
  readElement,
  type Showing,
  show,
  withNamesOfElements,
} from './elements.ts'
import { ElementInBatch, ElementPatch, InCatalog, NewElement, OfCatalog } from './schemas.ts'

const BATCH = { minItems: 1, maxItems: 250 }
const BODY_LIMIT = 2 * 1024 * 1024
const ELEMENTS = '/catalogs/:catalog_id/elements'
const Elements = Type.Object({ _links: Self, _embedded: Type.Object({ elements: Type.Array(Element) }) })

/** `/catalogs/{id}/elements`: written answers hold the elements whole. */
export function elementRoutes(ctx: Context): FastifyPluginAsyncTypebox {
  return async (v4) => {
    const base = baseOf(v4)
    const showing = (request: FastifyRequest): Showing => ({
      base: base(request),
      with: withNames((request.query as { with?: QueryValue }).with, withNamesOfElements),
    })
    const answer = (request: FastifyRequest, catalog_id: number, elements: Element[]) => ({
      _links: self(`${base(request)}/catalogs/${catalog_id}/elements`),
      _embedded: { elements },
    })

    v4.get(
      ELEMENTS,
      {
        schema: {
          params: InCatalog,
          querystring: Walked,
          response: { 200: WalkedList('elements', Element) },
        },
      },
      async (request) => {
        const page = pageOf(request.query)
        const options = { ...showing(request), page, after: positionOf(request.query) }
        const { actor, params, query } = request
        const { records, next } = await listElements(
          ctx,
          actor,
          params.catalog_id,
          query as ListQuery,
          options,
        )
        return { ...walkedPage(request, page, next), _embedded: { elements: records as Element[] } }
      },
    )
    v4.get(
      `${ELEMENTS}/:id`,
      { schema: { params: OfCatalog, response: { 200: Element } } },
      async (request) => {
        const { actor, params } = request
        return readElement(ctx, actor, params.catalog_id, params.id, showing(request))
      },
    )
    v4.post(
      ELEMENTS,
      {
        bodyLimit: BODY_LIMIT,
        schema: { params: InCatalog, body: Type.Array(NewElement, BATCH), response: { 200: Elements } },
      },
      async (request) => {
        const { actor, body, params } = request
        const elements = await addElements(ctx, actor, params.catalog_id, body, showing(request))
        const named = elements.map((element, i) => ({
          ...element,
          request_id: body[i]?.request_id ?? String(i),
        }))
        return answer(request, params.catalog_id, named)
      },
    )
    v4.patch(
      ELEMENTS,
      {
        bodyLimit: BODY_LIMIT,
        schema: { params: InCatalog, body: Type.Array(ElementInBatch, BATCH), response: { 200: Elements } },
      },
      async (request) => {
        const { actor, body, params } = request
        const elements = await changeElements(ctx, actor, params.catalog_id, body, 'item', showing(request))
        return answer(
          request,
          params.catalog_id,
          elements.map((element, i) => edited(element, body[i])),
        )
      },
    )
    v4.patch(
      `${ELEMENTS}/:id`,
      {
        bodyLimit: BODY_LIMIT,
        schema: { params: OfCatalog, body: ElementPatch, response: { 200: Element } },
      },
      async (request) => {
        const { actor, body, params } = request
        const patch = { ...body, id: params.id }
        const changed = await changeElements(ctx, actor, params.catalog_id, [patch], 'path', showing(request))
        return edited(changed[0] as Element, body)
      },
    )
    // The trash is ours (V8), as that of the other records.
    v4.delete(`${ELEMENTS}/:id`, { schema: { params: OfCatalog } }, async ({ actor, params }, reply) => {
      const { catalog_id, id } = params
      await moveToTrash(ctx, actor, 'catalog_elements', [{ id }], 'path', { catalog_id })
      return reply.code(204).send()
    })
    v4.post(
      `${ELEMENTS}/:id/restore`,
      { schema: { params: OfCatalog, response: { 200: Element } } },
      async (request) => {
        const { catalog_id, id } = request.params
        const row = await restore(ctx, request.actor, 'catalog_elements', id, { catalog_id })
        return (await show(ctx, request.actor, catalog_id, [row], showing(request)))[0] as Element
      },
    )
  }
}

/** The platform's answer to an edit names an item that did not name itself by its id. */
const edited = (element: Element, sent: { request_id?: string | number | undefined } | undefined) => ({
  ...element,
  request_id: sent?.request_id ?? element.id,
})
