import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Context } from '../context.ts'
import type { SourceRow } from '../db/tables.ts'
import { filterOf, listOf, type QueryValue } from '../http/bracket-query.ts'
import { ListOf, self } from '../http/hal.ts'
import { baseOf } from '../http/paging.ts'
import { NewSource, Source, SourcePatch } from './source-schemas.ts'
import { addSources, deleteSources, findSource, listSources, sourceView, updateSources } from './sources.ts'

const BATCH = { minItems: 1, maxItems: 250 }
const ById = Type.Object({ id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }) })
const Sources = ListOf('sources', Source)

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
    v4.get('/sources', { schema: { response: { 200: Sources } } }, async (request) => {
      const asked = listOf(filterOf(request.query as { filter?: QueryValue }, 'external_id'))
      const sources = await listSources(ctx, request.actor)
      const found = sources.filter(({ external_id }) => asked.length === 0 || asked.includes(external_id))
      return list(
        request,
        found.map((row) => view(request, row)),
      )
    })
    v4.get('/sources/:id', { schema: { params: ById, response: { 200: Source } } }, async (request) =>
      view(request, await findSource(ctx, request.actor, request.params.id)),
    )
    v4.post(
      '/sources',
      { schema: { body: Type.Array(NewSource, BATCH), response: { 200: Sources } } },
      async (request) => {
        const rows = await addSources(ctx, request.actor, request.body)
        return list(
          request,
          rows.map((row, i) => ({
            ...view(request, row),
            request_id: request.body[i]?.request_id ?? String(i),
          })),
        )
      },
    )
    v4.patch(
      '/sources',
      {
        schema: {
          body: Type.Array(Type.Intersect([SourcePatch, ById]), BATCH),
          response: { 200: Sources },
        },
      },
      async (request) =>
        list(
          request,
          (await updateSources(ctx, request.actor, request.body)).map((row) => view(request, row)),
        ),
    )
    v4.patch(
      '/sources/:id',
      { schema: { params: ById, body: SourcePatch, response: { 200: Source } } },
      async (request) => {
        const [row] = await updateSources(ctx, request.actor, [{ ...request.body, id: request.params.id }])
        return view(request, row as SourceRow)
      },
    )
    v4.delete('/sources', { schema: { body: Type.Array(ById, BATCH) } }, async (request, reply) => {
      await deleteSources(
        ctx,
        request.actor,
        request.body.map(({ id }) => id),
      )
      return reply.code(204).send()
    })
    v4.delete('/sources/:id', { schema: { params: ById } }, async (request, reply) => {
      await deleteSources(ctx, request.actor, [request.params.id])
      return reply.code(204).send()
    })
  }
}
