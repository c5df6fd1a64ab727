import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import { requirePaid } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import { type QueryValue, textOf } from '../http/queries/bracket-query.ts'
import { legacyPipelines } from './account.ts'
import { answerOf, batchesOf, bodyOf } from './bodies.ts'
import { LeadLink, LegacyLink, listLeadLinks, listLegacyLinks, setLegacyLinks } from './links.ts'
import { LegacyQuery } from './list-parameters.ts'

const SET = ['link', 'unlink'] as const
const Ids = Type.Optional(Type.Unknown({ description: 'An id, or several.' }))
const { limit_rows, limit_offset } = LegacyQuery.properties
const Done = Type.Object({
  links: Type.Array(LegacyLink),
  errors: Type.Array(Type.Unknown(), { maxItems: 0 }),
})

const operations = {
  pipelines: {
    operationId: 'legacy.pipelines.list',
    summary: 'Lists pipelines with their stages in the legacy form.',
    returns: 'The pipelines by their ids.',
    tags: ['Legacy'],
    querystring: Type.Object({ id: Type.Optional(Type.Unknown({ description: 'The id of a pipeline.' })) }),
    response: {
      200: answerOf({ pipelines: Type.Unsafe<object>({ type: 'object', additionalProperties: true }) }),
    },
  },
  ofContacts: {
    operationId: 'legacy.contacts.links',
    summary: 'Lists the links between contacts and leads.',
    returns: 'The links.',
    tags: ['Legacy'],
    querystring: Type.Object({ contacts_link: Ids, deals_link: Ids, limit_rows, limit_offset }),
    response: { 200: answerOf({ links: Type.Array(LeadLink) }) },
    otherResponses: { 204: { description: 'Nothing was found.' } },
  },
  list: {
    operationId: 'legacy.links.list',
    summary: 'Lists the links of records in the legacy form.',
    returns: 'The links, at most 500.',
    tags: ['Legacy'],
    querystring: Type.Object({
      links: Type.Optional(
        Type.Unknown({ description: '`links[0][from]` and `[from_id]`, and perhaps `[to]` and `[to_id]`.' }),
      ),
    }),
    response: { 200: answerOf({ links: Type.Array(LegacyLink) }) },
    otherResponses: { 204: { description: 'Nothing was found.' } },
  },
  set: {
    operationId: 'legacy.links.set',
    summary: 'Links records and takes links away in the legacy form.',
    description: 'The rules are those of the API v4. All links are written, or none.',
    returns: 'The links.',
    tags: ['Legacy'],
    body: bodyOf('links', SET),
    response: { 200: answerOf({ links: Type.Object({ link: Done, unlink: Done }) }) },
  },
}

/** Pipelines and links of the first API (docs/wire/legacy.md#links). */
export function linkRoutes(ctx: Context): FastifyPluginAsyncTypebox {
  return async (legacy) => {
    legacy.get('/pipelines/list', { schema: operations.pipelines }, async ({ actor, query }) => {
      const id = textOf(query.id as QueryValue | undefined)
      return answer(ctx, { pipelines: await legacyPipelines(ctx, actor, id) })
    })
    legacy.get('/contacts/links', { schema: operations.ofContacts }, ({ actor, query }, reply) => {
      requirePaid(ctx, actor)
      return answerList(ctx, reply, 'links', listLeadLinks(ctx, actor, query))
    })
    legacy.get('/links/list', { schema: operations.list }, ({ actor, query }, reply) => {
      requirePaid(ctx, actor)
      return answerList(
        ctx,
        reply,
        'links',
        listLegacyLinks(ctx, actor, query.links as QueryValue | undefined),
      )
    })
    legacy.post('/links/set', { schema: operations.set }, async ({ actor, body }) => {
      const { link, unlink } = await setLegacyLinks(ctx, actor, batchesOf(body, 'links', SET))
      return answer(ctx, {
        links: { link: { links: link, errors: [] }, unlink: { links: unlink, errors: [] } },
      })
    })
  }
}

/** A response: everything is inside `response`, with the server's time. */
export const answer = <Members extends object>(ctx: Context, members: Members) => ({
  response: { ...members, server_time: ctx.now() },
})

/** Answers with a list in the form `shown`. An empty one is 204, as on the platform. */
export async function answerList<Items extends object[]>(
  ctx: Context,
  reply: FastifyReply,
  name: string,
  items: Promise<Items>,
  shown: (items: Items) => object = (items) => items,
) {
  const found = await items
  return found.length === 0 ? reply.code(204).send() : reply.send(answer(ctx, { [name]: shown(found) }))
}
