import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Context } from '../../context.ts'
import type { SourceRow } from '../../db/tables.ts'
import { ListOf, self, wholeList, withRequestIds } from '../../http/hal.ts'
import type { RequestOf } from '../../http/operation.ts'
import { filterOf, listOf, type QueryValue } from '../../http/queries/bracket-query.ts'
import { baseOf } from '../../http/queries/paging.ts'
import { texts } from '../../http/queries/query-parameters.ts'
import { NewSource, Source, SourcePatch } from './source-schemas.ts'
import {
  addSources,
  deleteSources,
  findSource,
  listSources,
  sourceView,
  unknownSource,
  updateSources,
} from './sources.ts'

const BATCH = { minItems: 1, maxItems: 250 }
const ById = Type.Object({ id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }) })
const Sources = ListOf('sources', Source)

const operations = {
  list: {
    operationId: 'sources.list',
    summary: 'Lists the sources of the calling integration.',
    returns: 'The sources.',
    tags: ['Sources'],
    parameters: texts('external_id'),
    response: { 200: Sources },
  },
  get: {
    operationId: 'sources.get',
    summary: 'Shows one source.',
    returns: 'The source.',
    tags: ['Sources'],
    params: ById,
    response: { 200: Source },
  },
  create: {
    operationId: 'sources.create',
    summary: 'Adds sources of the calling integration.',
    returns: 'The new sources.',
    tags: ['Sources'],
    body: Type.Array(NewSource, BATCH),
    response: { 200: Sources },
  },
  updateMany: {
    operationId: 'sources.update_many',
    summary: 'Changes sources, all of the batch or none.',
    returns: 'The sources after the change.',
    tags: ['Sources'],
    body: Type.Array(Type.Intersect([SourcePatch, ById]), BATCH),
    response: { 200: Sources },
  },
  update: {
    operationId: 'sources.update',
    summary: 'Changes one source.',
    returns: 'The source after the change.',
    tags: ['Sources'],
    params: ById,
    body: SourcePatch,
    response: { 200: Source },
  },
  deleteMany: {
    operationId: 'sources.delete_many',
    summary: 'Deletes sources, all of the batch or none.',
    returns: 'The sources were deleted.',
    tags: ['Sources'],
    body: Type.Array(ById, BATCH),
  },
  remove: {
    operationId: 'sources.delete',
    summary: 'Deletes one source.',
    returns: 'The source was deleted.',
    tags: ['Sources'],
    params: ById,
  },
}

/** `/sources`: the sources of the calling integration (A14). */
export function sourceRoutes(ctx: Context): FastifyPluginAsyncTypebox {
  return async (v4) => {
    const base = baseOf(v4)
    const address = (request: FastifyRequest) => `${base(request)}/sources`

    v4.get('/sources', { schema: operations.list }, (request) => list(ctx, request, address(request)))
    v4.get('/sources/:id', { schema: operations.get }, async (request) =>
      shown(await findSource(ctx, request.actor, request.params.id), address(request)),
    )
    v4.post('/sources', { schema: operations.create }, (request) => create(ctx, request, address(request)))
    v4.patch('/sources', { schema: operations.updateMany }, async (request) => {
      const changed = await updateSources(ctx, request.actor, request.body, unknownSource.change)
      return answered(changed, request.body, address(request))
    })
    v4.patch('/sources/:id', { schema: operations.update }, (request) =>
      update(ctx, request, address(request)),
    )
    v4.delete('/sources', { schema: operations.deleteMany }, async ({ actor, body }, reply) => {
      const ids = body.map(({ id }) => id)
      await deleteSources(ctx, actor, ids, unknownSource.deletion)
      return reply.code(204).send()
    })
    v4.delete('/sources/:id', { schema: operations.remove }, async ({ actor, params }, reply) => {
      await deleteSources(ctx, actor, [params.id], unknownSource.address)
      return reply.code(204).send()
    })
  }
}

async function list(ctx: Context, { actor, query }: RequestOf<typeof operations.list>, address: string) {
  const names = listOf(filterOf(query as { filter?: QueryValue }, 'external_id'))
  const rows = await listSources(ctx, actor)
  const found = rows.filter(({ external_id }) => names.length === 0 || names.includes(external_id))
  return collection(found, address)
}

async function create(ctx: Context, { actor, body }: RequestOf<typeof operations.create>, address: string) {
  return answered(await addSources(ctx, actor, body), body, address)
}

async function update(
  ctx: Context,
  { actor, params, body }: RequestOf<typeof operations.update>,
  address: string,
) {
  const [row] = await updateSources(ctx, actor, [{ ...body, id: params.id }], unknownSource.address)
  return shown(row as SourceRow, address)
}

const shown = (row: SourceRow, address: string): Source => ({
  ...sourceView(row),
  _links: self(`${address}/${row.id}`),
})

/** The sources of the items of a request. */
const answered = (
  rows: SourceRow[],
  items: readonly { request_id?: string | number | undefined }[],
  address: string,
) => {
  const sources = rows.map((row) => shown(row, address))
  return wholeList('sources', withRequestIds(sources, items), address)
}

const collection = (rows: SourceRow[], address: string) =>
  wholeList(
    'sources',
    rows.map((row) => shown(row, address)),
    address,
  )
