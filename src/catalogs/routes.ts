import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Context } from '../context.ts'
import type { CatalogRow } from '../db/tables.ts'
import { loadAccess } from '../entities/entities.ts'
import { invalidChoice } from '../errors.ts'
import { Self, self, withRequestIds } from '../http/hal.ts'
import { mount } from '../http/mount.ts'
import type { RequestOf } from '../http/operation.ts'
import { filterOf, listOf, type QueryValue } from '../http/queries/bracket-query.ts'
import { baseOf, KeysetList, Paged, pageLinks, pageOf } from '../http/queries/paging.ts'
import { choices, one } from '../http/queries/query-parameters.ts'
import { elementRoutes } from './element-routes.ts'
import { addCatalogs, changeCatalogs, listCatalogs, readCatalog, removeCatalog } from './lists.ts'
import { productsSettingsRoutes } from './products-routes.ts'
import { ById, Catalog, CatalogInBatch, CatalogPatch, catalogTypes, NewCatalog } from './schemas.ts'

const BATCH = { minItems: 1, maxItems: 250 }
const Catalogs = Type.Object({ _links: Self, _embedded: Type.Object({ catalogs: Type.Array(Catalog) }) })

const operations = {
  list: {
    operationId: 'catalogs.list',
    summary: 'Lists the lists of the account.',
    returns: 'One page of lists.',
    tags: ['Lists'],
    parameters: [
      ...one('type', { type: 'string', enum: catalogTypes }, 'As `filter[type]`.'),
      ...choices('type', catalogTypes),
    ],
    querystring: Paged,
    response: { 200: KeysetList('catalogs', Catalog) },
  },
  get: {
    operationId: 'catalogs.get',
    summary: 'Shows one list.',
    returns: 'The list.',
    tags: ['Lists'],
    params: ById,
    response: { 200: Catalog },
  },
  create: {
    operationId: 'catalogs.create',
    summary: 'Adds lists.',
    returns: 'The new lists.',
    tags: ['Lists'],
    body: Type.Array(NewCatalog, BATCH),
    response: { 200: Catalogs },
  },
  updateMany: {
    operationId: 'catalogs.update_many',
    summary: 'Changes lists, all of the batch or none.',
    returns: 'The lists after the change.',
    tags: ['Lists'],
    body: Type.Array(CatalogInBatch, BATCH),
    response: { 200: Catalogs },
  },
  update: {
    operationId: 'catalogs.update',
    summary: 'Changes one list.',
    returns: 'The list after the change.',
    tags: ['Lists'],
    params: ById,
    body: CatalogPatch,
    response: { 200: Catalog },
  },
  remove: {
    operationId: 'catalogs.delete',
    summary: 'Permanently deletes one list with its elements and fields.',
    returns: 'The list was deleted.',
    tags: ['Lists'],
    params: ById,
  },
}

/** `/catalogs`: the lists of the account, and their elements below each. */
export function catalogRoutes(ctx: Context): FastifyPluginAsyncTypebox {
  return async (v4) => {
    const base = baseOf(v4)

    v4.get('/catalogs', { schema: operations.list }, (request) => list(ctx, request, base(request)))
    v4.get('/catalogs/:id', { schema: operations.get }, async (request) => {
      const access = await loadAccess(ctx.db, request.actor)
      return view(await readCatalog(ctx.db, access, request.params.id), base(request))
    })
    v4.post('/catalogs', { schema: operations.create }, async (request) =>
      collection(await addCatalogs(ctx, request.actor, request.body), request.body, base(request)),
    )
    v4.patch('/catalogs', { schema: operations.updateMany }, async (request) =>
      collection(await changeCatalogs(ctx, request.actor, request.body, 'item'), request.body, base(request)),
    )
    v4.patch('/catalogs/:id', { schema: operations.update }, async (request) => {
      const { actor, body, params } = request
      const [row] = await changeCatalogs(ctx, actor, [{ ...body, id: params.id }], 'path')
      return { ...view(row as CatalogRow, base(request)), request_id: body.request_id ?? '0' }
    })
    // Ours (V8): the platform deletes lists only in its interface.
    v4.delete('/catalogs/:id', { schema: operations.remove }, async ({ actor, params }, reply) => {
      await removeCatalog(ctx, actor, params.id)
      return reply.code(204).send()
    })
    await mount(v4, productsSettingsRoutes(ctx))
    await mount(v4, elementRoutes(ctx))
  }
}

async function list(ctx: Context, request: RequestOf<typeof operations.list>, base: string) {
  const page = pageOf(request.query)
  const query = request.query as { type?: QueryValue; filter?: QueryValue }
  const filtered = listOf(filterOf(query, 'type'))
  if (filtered.some((type) => !(catalogTypes as readonly string[]).includes(type)))
    throw invalidChoice('filter.type', catalogTypes)
  const types = [...listOf(query.type), ...filtered]
  const all = await listCatalogs(ctx.db, await loadAccess(ctx.db, request.actor))
  const lists = types.length === 0 ? all : all.filter(({ type }) => types.includes(type))
  const end = page.offset + page.limit
  return {
    _page: page.page,
    _links: pageLinks(request, page, end < lists.length),
    _embedded: { catalogs: lists.slice(page.offset, end).map((row) => view(row, base)) },
  }
}

function collection(rows: CatalogRow[], sent: { request_id?: string | number | undefined }[], base: string) {
  const views = rows.map((row) => view(row, base))
  return { _links: self(`${base}/catalogs`), _embedded: { catalogs: withRequestIds(views, sent) } }
}

const view = (row: CatalogRow, base: string): Catalog => ({
  id: row.id,
  name: row.name,
  created_by: row.created_by,
  updated_by: row.updated_by,
  created_at: row.created_at,
  updated_at: row.updated_at,
  sort: row.sort,
  type: row.type,
  can_add_elements: row.can_add_elements === 1,
  can_show_in_cards: row.can_show_in_cards === 1,
  can_link_multiple: row.can_link_multiple === 1,
  can_be_deleted: row.can_be_deleted === 1,
  sdk_widget_code: row.sdk_widget_code,
  account_id: row.account_id,
  _links: self(`${base}/catalogs/${row.id}`),
})
