import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { requirePaid } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import { originOf } from '../http/queries/paging.ts'
import { attachFiles, detachFiles, listCardFiles } from './card-files.ts'
import { type CardType, cardKinds, type Parents } from './parents.ts'
import { CardFiles, CardFilesQuery, NamedFiles, OfOne } from './schemas.ts'

/** A response without a body. */
const Nothing = Type.Unsafe<undefined>({ type: 'null' })

/** The operations on the files of one kind of record. */
const operationsOf = (one: string) => ({
  list: {
    operationId: `${one}.files.list`,
    summary: `Lists the files that are attached to one ${one}.`,
    returns: 'One page of attached files.',
    tags: ['Notes'],
    params: OfOne,
    querystring: CardFilesQuery,
    response: { 200: CardFiles },
  },
  attach: {
    operationId: `${one}.files.attach`,
    summary: `Attaches files to one ${one}.`,
    returns: 'The files were attached.',
    tags: ['Notes'],
    params: OfOne,
    body: NamedFiles,
    response: { 202: Nothing },
  },
  detach: {
    operationId: `${one}.files.detach`,
    summary: `Detaches files from one ${one}.`,
    returns: 'The files were detached.',
    tags: ['Notes'],
    params: OfOne,
    body: NamedFiles,
  },
})

/** `/{kind}/{entity_id}/files`. */
export function cardFileRoutes(ctx: Context, parents: Parents, type: CardType): FastifyPluginAsyncTypebox {
  return async (v4) => {
    const path = `/${type}/:entity_id/files`
    const operations = operationsOf(cardKinds[type])

    v4.get(path, { schema: operations.list }, async (request) => {
      requirePaid(ctx, request.actor)
      const { actor, params, query } = request
      const card = { type, ...params }
      const { files, hasMore } = await listCardFiles(ctx.db, actor, parents, card, query)
      return {
        _links: {
          self: addressOf(request, query),
          ...(hasMore && {
            next: addressOf(request, { limit: query.limit, before_id: files.at(-1)?.id }),
          }),
        },
        _embedded: { files },
      }
    })
    v4.put(path, { schema: operations.attach }, async ({ actor, params, body }, reply) => {
      await attachFiles(ctx, actor, parents, { type, ...params }, body)
      return reply.code(202).send()
    })
    v4.delete(path, { schema: operations.detach }, async ({ actor, params, body }, reply) => {
      await detachFiles(ctx, actor, parents, { type, ...params }, body)
      return reply.code(204).send()
    })
  }
}

/** The list's address with the relevant part of its query. */
function addressOf(
  request: FastifyRequest,
  { limit, before_id }: { limit: number; before_id?: number | undefined },
) {
  const path = request.url.split('?', 1)[0]
  const from = before_id === undefined ? '' : `&before_id=${before_id}`
  return { href: `${originOf(request)}${path}?limit=${limit}${from}` }
}
