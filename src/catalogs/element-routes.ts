import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { actingOf, withActing } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import {
  type Access,
  elementFilters,
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
import { Element } from '../entities/records/record-schemas.ts'
import { Nothing } from '../http/bodies/empty-lists.ts'
import { CsvDelimiter, CsvHeadings, Format, formOf } from '../http/bodies/forms.ts'
import { answersTexts, asText } from '../http/bodies/json-text.ts'
import { Self, self, withRequestIds } from '../http/hal.ts'
import type { RequestOf } from '../http/operation.ts'
import { conditional, expectedVersions, setETag } from '../http/preconditions.ts'
import { partsOf, type QueryValue, withNames } from '../http/queries/bracket-query.ts'
import {
  baseOf,
  KeysetList,
  KeysetPaged,
  keysetPage,
  pageOf,
  valuePositionOf,
} from '../http/queries/paging.ts'
import { orders, several, withAny } from '../http/queries/query-parameters.ts'
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

const operations = {
  list: {
    operationId: 'catalog.elements.list',
    summary:
      'Lists elements of one list, filtered, searched and sorted, one page at a time, or exports them.',
    returns: 'One page of elements.',
    tags: ['Lists'],
    ...listed([
      ...withAny(...withNamesOfElements),
      ...several('id', { type: 'array', items: { type: 'integer' } }, 'Like `filter[id]`.'),
      ...elementFilters,
      ...orders(...orderNames('catalog_elements')),
    ]),
    params: InCatalog,
    querystring: Type.Object({
      ...KeysetPaged.properties,
      format: Format,
      delimiter: CsvDelimiter,
      headings: CsvHeadings,
    }),
    response: { 200: KeysetList('elements', Element) },
  },
  totals: {
    operationId: 'catalog.elements.totals.get',
    summary: 'Counts the elements of one list that match the query of the list, and adds up their values.',
    returns: 'The number of elements and the sum of their values.',
    tags: ['Lists'],
    ...totalled(elementFilters),
    params: InCatalog,
    querystring: TotalsQuery,
    response: { 200: Totals },
  },
  get: {
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
    const send = sendRecords(ctx, v4)

    v4.get(ELEMENTS, { schema: operations.list }, async (request, reply) => {
      const form = formOf(request)
      if (!form) return list(ctx, request, reply, base(request))
      const { catalog_id } = request.params
      const query = await withActing(ctx, withIds(request.query as ListQuery))
      const file = {
        ...showing(ctx, request, base(request)),
        type: 'catalog_elements',
        form,
        query,
        catalog_id,
      } as const
      const requireList = async (access: Access) => void (await readCatalog(ctx.db, access, catalog_id))
      return send(request, reply, file, requireList) as never
    })
    v4.get(`${ELEMENTS}/totals`, { schema: operations.totals }, async ({ actor, params, query }) => {
      const in_trash = withOf(query).has('only_deleted')
      const asked = await withActing(ctx, query as ListQuery)
      return totalsOfElements(ctx, actor, params.catalog_id, asked, in_trash)
    })
    v4.get(`${ELEMENTS}/:id`, { schema: operations.get }, (request, reply) =>
      get(ctx, request, reply, base(request)),
    )
    v4.post(ELEMENTS, { bodyLimit: BODY_LIMIT, schema: operations.create }, (request) =>
      create(ctx, request, base(request)),
    )
    v4.patch(ELEMENTS, { bodyLimit: BODY_LIMIT, schema: operations.updateMany }, (request) =>
      updateMany(ctx, request, base(request)),
    )
    v4.patch(`${ELEMENTS}/:id`, { bodyLimit: BODY_LIMIT, schema: operations.update }, (request, reply) =>
      update(ctx, request, reply, base(request)),
    )
    // The trash is ours (V8), as for the other records.
    v4.delete(`${ELEMENTS}/:id`, { schema: operations.remove }, async ({ actor, params }, reply) => {
      const { catalog_id, id } = params
      await moveToTrash(ctx, actor, 'catalog_elements', [{ id }], 'path', { catalog_id })
      return reply.code(204).send()
    })
    v4.post(`${ELEMENTS}/:id/restore`, { schema: operations.restore }, (request) =>
      restored(ctx, request, base(request)),
    )
  }
}

async function list(
  ctx: Context,
  request: RequestOf<typeof operations.list>,
  reply: FastifyReply,
  base: string,
) {
  const { actor, params } = request
  const page = pageOf(request.query)
  const query = await withActing(ctx, withIds(request.query as ListQuery))
  const options = { ...showing(ctx, request, base), page, after: valuePositionOf(request.query) }
  const { records, next } = await listElements(ctx, actor, params.catalog_id, query, options)
  answersTexts(reply)
  return { ...keysetPage(request, page, next), _embedded: { elements: records } } as never
}

async function get(
  ctx: Context,
  request: RequestOf<typeof operations.get>,
  reply: FastifyReply,
  base: string,
) {
  const { catalog_id, id } = request.params
  const found = await findElement(ctx, request.actor, catalog_id, id, showing(ctx, request, base))
  if (!found) return reply.code(204).send(null) as never
  setETag(reply, found.version)
  return asText(reply, found.text) as never
}

async function create(ctx: Context, request: RequestOf<typeof operations.create>, base: string) {
  const { actor, body, params } = request
  const elements = await addElements(ctx, actor, params.catalog_id, body, showing(ctx, request, base))
  return collection(base, params.catalog_id, elements, body)
}

async function updateMany(ctx: Context, request: RequestOf<typeof operations.updateMany>, base: string) {
  const { actor, body, params } = request
  const elements = await changeElements(
    ctx,
    actor,
    params.catalog_id,
    body,
    'item',
    showing(ctx, request, base),
  )
  return collection(base, params.catalog_id, elements, body)
}

async function update(
  ctx: Context,
  request: RequestOf<typeof operations.update>,
  reply: FastifyReply,
  base: string,
) {
  const { actor, body, params } = request
  const patch = { ...body, id: params.id }
  const expected = expectedVersions(request)
  const around = showing(ctx, request, base)
  const { element, version } = await changeElement(ctx, actor, params.catalog_id, patch, expected, around)
  setETag(reply, version)
  return { ...element, request_id: body.request_id ?? '0' }
}

async function restored(ctx: Context, request: RequestOf<typeof operations.restore>, base: string) {
  const { actor, params } = request
  const { catalog_id, id } = params
  const row = await restore(ctx, actor, 'catalog_elements', id, { catalog_id })
  const [element] = await show(ctx, actor, catalog_id, [row], showing(ctx, request, base))
  return element as Element
}

const withOf = (query: unknown) => withNames((query as { with?: QueryValue }).with, withNamesOfElements)

const showing = (ctx: Context, request: FastifyRequest, base: string): Showing => ({
  base,
  with: withOf(request.query),
  acting: actingOf(ctx, request),
})

/** The response to a batch. An item that was sent without a request_id gets its place in the batch as one. */
const collection = (
  base: string,
  catalog_id: number,
  elements: Element[],
  sent: { request_id?: string | number | undefined }[],
) => ({
  _links: self(`${base}/catalogs/${catalog_id}/elements`),
  _embedded: { elements: withRequestIds(elements, sent) },
})

/** Clients also send `id[]` beside the filter; it means `filter[id]`. */
function withIds(query: ListQuery & { id?: QueryValue }): ListQuery {
  if (query.id === undefined) return query
  return { ...query, filter: { id: query.id, ...partsOf(query.filter) } }
}
