import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Context } from '../context.ts'
import {
  type Access,
  type ListQuery,
  listed,
  moveToTrash,
  orderNames,
  restore,
  sendRecords,
  Totals,
  TotalsQuery,
  totalled,
} from '../entities/entities.ts'
import { Element } from '../entities/record-schemas.ts'
import { type QueryValue, withNames } from '../http/bracket-query.ts'
import { Nothing } from '../http/empty-lists.ts'
import { type FileForm, Format, formOf } from '../http/forms.ts'
import { Self, self } from '../http/hal.ts'
import { baseOf, KeysetList, KeysetPaged, keysetPage, pageOf, valuePositionOf } from '../http/paging.ts'
import { conditional, expectedVersions, setETag } from '../http/preconditions.ts'
import { ids, orders, spans, texts, withAny } from '../http/query-parameters.ts'
import {
  addElements,
  changeElement,
  changeElements,
  findElement,
  listElements,
  type Showing,
  show,
  totalsOfElements,
  withNamesOfElements,
} from './elements.ts'
import { readCatalog } from './lists.ts'
import { ElementInBatch, ElementPatch, InCatalog, NewElement, OfCatalog } from './schemas.ts'

const BATCH = { minItems: 1, maxItems: 250 }
const BODY_LIMIT = 2 * 1024 * 1024
const ELEMENTS = '/catalogs/:catalog_id/elements'
const Elements = Type.Object({ _links: Self, _embedded: Type.Object({ elements: Type.Array(Element) }) })

const filters = [
  ...ids('id', 'responsible_user_id', 'created_by', 'updated_by'),
  ...texts('name'),
  ...spans('created_at', 'updated_at'),
]

const operations = {
  list: {
    operationId: 'catalog.elements.list',
    summary:
      'Lists elements of one list, filtered, searched and sorted, one page at a time, or exports them.',
    returns: 'One page of elements.',
    tags: ['Lists'],
    ...listed([...withAny(...withNamesOfElements), ...filters, ...orders(...orderNames('catalog_elements'))]),
    params: InCatalog,
    querystring: Type.Object({ ...KeysetPaged.properties, format: Format }),
    response: { 200: KeysetList('elements', Element) },
  },
  get: {
    operationId: 'catalog.elements.totals.get',
    summary: 'Counts the elements of one list that match the query of the list, and adds up their values.',
    returns: 'The number of elements and the sum of their values.',
    tags: ['Lists'],
    ...totalled(filters),
    params: InCatalog,
    querystring: TotalsQuery,
    response: { 200: Totals },
  },
  elementsGet: {
    operationId: 'catalog.elements.get',
    summary: 'Shows one element.',
    returns: 'The element.',
    tags: ['Lists'],
    parameters: withAny(...withNamesOfElements),
    params: OfCatalog,
    response: { 200: Element, 204: Nothing },
  },
  create: {
    operationId: 'catalog.elements.create',
    summary: 'Adds elements to one list, all of the batch or none.',
    returns: 'The new elements.',
    tags: ['Lists'],
    params: InCatalog,
    body: Type.Array(NewElement, BATCH),
    response: { 200: Elements },
  },
  updateMany: {
    operationId: 'catalog.elements.update_many',
    summary: 'Changes elements of one list, all of the batch or none.',
    returns: 'The elements after the change.',
    tags: ['Lists'],
    params: InCatalog,
    body: Type.Array(ElementInBatch, BATCH),
    response: { 200: Elements },
  },
  update: {
    operationId: 'catalog.elements.update',
    summary: 'Changes one element.',
    returns: 'The element after the change.',
    tags: ['Lists'],
    ...conditional,
    params: OfCatalog,
    body: ElementPatch,
    response: { 200: Element },
  },
  remove: {
    operationId: 'catalog.elements.delete',
    summary: 'Moves one element to the trash.',
    returns: 'The element is in the trash.',
    tags: ['Lists'],
    params: OfCatalog,
  },
  restore: {
    operationId: 'catalog.elements.restore',
    summary: 'Takes one element out of the trash.',
    returns: 'The restored element.',
    tags: ['Lists'],
    params: OfCatalog,
    response: { 200: Element },
  },
}

/** `/catalogs/{id}/elements`. Write responses contain the complete elements. */
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

    const send = sendRecords(ctx, v4)
    const exported = async (
      request: FastifyRequest,
      reply: FastifyReply,
      form: FileForm,
      catalog_id: number,
    ) => {
      const requireList = async (access: Access) => void (await readCatalog(ctx.db, access, catalog_id))
      const query = withIds(request.query as ListQuery)
      const asked = { ...showing(request), type: 'catalog_elements', form, query, catalog_id } as const
      return send(request, reply, asked, requireList)
    }

    v4.get(
      ELEMENTS,
      {
        schema: operations.list,
      },
      async (request, reply) => {
        const form = formOf(request)
        if (form) return exported(request, reply, form, request.params.catalog_id) as never
        const page = pageOf(request.query)
        const options = { ...showing(request), page, after: valuePositionOf(request.query) }
        const { actor, params, query } = request
        const { records, next } = await listElements(
          ctx,
          actor,
          params.catalog_id,
          withIds(query as ListQuery),
          options,
        )
        return { ...keysetPage(request, page, next), _embedded: { elements: records as Element[] } }
      },
    )
    v4.get(`${ELEMENTS}/totals`, { schema: operations.get }, async (request) => {
      const { actor, params, query } = request
      const in_trash = showing(request).with.has('only_deleted')
      return totalsOfElements(ctx, actor, params.catalog_id, query as ListQuery, in_trash)
    })
    v4.get(`${ELEMENTS}/:id`, { schema: operations.elementsGet }, async (request, reply) => {
      const { actor, params } = request
      const { catalog_id, id } = params
      const found = await findElement(ctx, actor, catalog_id, id, showing(request))
      if (!found) return reply.code(204).send(null)
      setETag(reply, found.version)
      return found.element
    })
    v4.post(
      ELEMENTS,
      {
        bodyLimit: BODY_LIMIT,
        schema: operations.create,
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
        schema: operations.updateMany,
      },
      async (request) => {
        const { actor, body, params } = request
        const elements = await changeElements(ctx, actor, params.catalog_id, body, 'item', showing(request))
        return answer(
          request,
          params.catalog_id,
          elements.map((element, i) => edited(element, body[i], i)),
        )
      },
    )
    v4.patch(
      `${ELEMENTS}/:id`,
      {
        bodyLimit: BODY_LIMIT,
        schema: operations.update,
      },
      async (request, reply) => {
        const { actor, body, params } = request
        const patch = { ...body, id: params.id }
        const expected = expectedVersions(request)
        const around = showing(request)
        const { element, version } = await changeElement(
          ctx,
          actor,
          params.catalog_id,
          patch,
          expected,
          around,
        )
        setETag(reply, version)
        return edited(element, body)
      },
    )
    // The trash is ours (V8), as for the other records.
    v4.delete(`${ELEMENTS}/:id`, { schema: operations.remove }, async ({ actor, params }, reply) => {
      const { catalog_id, id } = params
      await moveToTrash(ctx, actor, 'catalog_elements', [{ id }], 'path', { catalog_id })
      return reply.code(204).send()
    })
    v4.post(`${ELEMENTS}/:id/restore`, { schema: operations.restore }, async (request) => {
      const { catalog_id, id } = request.params
      const row = await restore(ctx, request.actor, 'catalog_elements', id, { catalog_id })
      return (await show(ctx, request.actor, catalog_id, [row], showing(request)))[0] as Element
    })
  }
}

/** Clients also send `id[]` beside the filter; it means `filter[id]`. */
function withIds(query: ListQuery & { id?: QueryValue }): ListQuery {
  if (query.id === undefined) return query
  const filter = typeof query.filter === 'object' && !Array.isArray(query.filter) ? query.filter : {}
  return { ...query, filter: { id: query.id, ...filter } }
}

/** In an edit response, an item without a request_id gets its id as the request_id, as on the platform. */
const edited = (
  element: Element,
  sent: { request_id?: string | number | undefined } | undefined,
  place = 0,
) => ({ ...element, request_id: sent?.request_id ?? String(place) })
