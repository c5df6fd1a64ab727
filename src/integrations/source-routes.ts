import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Context } from '../context.ts'
import type { SourceRow } from '../db/tables.ts'
import { filterOf, listOf, type QueryValue } from '../http/bracket-query.ts'
import { ListOf, self } from '../http/hal.ts'
import { baseOf } from '../http/paging.ts'
import { texts } from '../http/query-parameters.ts'
import { NewSource, Source, SourcePatch } from './source-schemas.ts'
import { addSources, deleteSources, findSource, listSources, sourceView, updateSources } from './sources.ts'

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
    const view = (request: FastifyRequest, row: SourceRow): Source => ({
      ...sourceView(row),
      _links: self(`${address(request)}/${row.id}`),
    })
    const list = (request: FastifyRequest, sources: Source[]) => ({
      _total_items: sources.length,
      _links: self(address(request)),
      _embedded: { sources },
    })
    v4.get('/sources', { schema: operations.list }, async (request) => {
      const asked = listOf(filterOf(request.query as { filter?: QueryValue }, 'external_id'))
      const sources = await listSources(ctx, request.actor)
      const found = sources.filter(({ external_id }) => asked.length === 0 || asked.includes(external_id))
      return list(
        request,
        found.map((row) => view(request, row)),
      )
    })
    v4.get('/sources/:id', { schema: operations.get }, async (request) =>
      view(request, await findSource(ctx, request.actor, request.params.id)),
    )
    v4.post('/sources', { schema: operations.create }, async (request) => {
      const rows = await addSources(ctx, request.actor, request.body)
      return list(
        request,
        rows.map((row, i) => ({
          ...view(request, row),
          request_id: request.body[i]?.request_id ?? String(i),
        })),
      )
    })
    v4.patch(
      '/sources',
      {
        schema: operations.updateMany,
      },
      async (request) =>
        list(
          request,
          (await updateSources(ctx, request.actor, request.body)).map((row) => view(request, row)),
        ),
    )
    v4.patch('/sources/:id', { schema: operations.update }, async (request) => {
      const [row] = await updateSources(ctx, request.actor, [{ ...request.body, id: request.params.id }])
      return view(request, row as SourceRow)
    })
    v4.delete('/sources', { schema: operations.deleteMany }, async (request, reply) => {
      await deleteSources(
        ctx,
        request.actor,
        request.body.map(({ id }) => id),
      )
      return reply.code(204).send()
    })
    v4.delete('/sources/:id', { schema: operations.remove }, async (request, reply) => {
      await deleteSources(ctx, request.actor, [request.params.id])
      return reply.code(204).send()
    })
  }
}
