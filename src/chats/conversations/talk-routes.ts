import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { requirePaid } from '../../accounts/accounts.ts'
import { ById } from '../../accounts/members/schemas.ts'
import type { Context } from '../../context.ts'
import type { QueryValue } from '../../http/queries/bracket-query.ts'
import { baseOf, keysetPage, pageOf, positionOf } from '../../http/queries/paging.ts'
import { ids, one } from '../../http/queries/query-parameters.ts'
import { Nothing } from '../scopes/provider-schemas.ts'
import type { SourcesOfChats } from '../scopes/sources.ts'
import { chatReader } from './chat-rights.ts'
import { listTalks } from './talk-list.ts'
import { CloseTalk, Talk, TalkPage, TalksQuery } from './talk-schemas.ts'
import { showTalks } from './talk-view.ts'
import { closeTalk, visibleTalk } from './talks.ts'

const operations = {
  list: {
    operationId: 'talks.list',
    summary: 'Lists talks, the newest first, one page at a time.',
    returns: 'One page of talks.',
    tags: ['Chats'],
    parameters: [
      ...ids('talk_id', 'contact_id', 'entity_id'),
      ...one(
        'filter[entity_type]',
        { type: 'string', enum: ['lead', 'customer'] },
        'The kind of the record of the talk.',
      ),
      ...one('filter[only_in_work]', { type: 'string' }, 'With any value: only open talks.'),
    ],
    querystring: TalksQuery,
    response: { 200: TalkPage },
  },
  get: {
    operationId: 'talks.get',
    summary: 'Shows one talk: a part of a chat, from its first message until it is closed.',
    returns: 'The talk.',
    tags: ['Chats'],
    params: ById,
    response: { 200: Talk },
  },
  close: {
    operationId: 'talks.close',
    summary: 'Closes one talk. The next message opens another one.',
    description: '`force_close` changes nothing, because talks are closed without a survey.',
    returns: 'The talk is closed.',
    tags: ['Chats'],
    params: ById,
    body: Type.Union([CloseTalk, Type.Null()]),
    response: { 202: Nothing },
    otherResponses: { 422: { description: 'The talk is closed already.', problem: true as const } },
  },
}

/** `/talks`: the pieces of conversations (V7). */
export function talkRoutes(ctx: Context, sources: SourcesOfChats): FastifyPluginAsyncTypebox {
  return async (v4) => {
    const base = baseOf(v4)
    v4.get('/talks', { schema: operations.list }, async (request) => {
      requirePaid(ctx, request.actor)
      const reader = await chatReader(ctx.db, request.actor)
      const page = pageOf(request.query)
      const filter = request.query.filter as QueryValue | undefined
      const { rows, next } = await listTalks(ctx.db, reader, filter, page, positionOf(request.query))
      const talks = await showTalks(ctx.db, reader.access, sources, rows, base(request))
      return { ...keysetPage(request, page, next), _embedded: { talks } }
    })
    v4.get('/talks/:id', { schema: operations.get }, async (request) => {
      requirePaid(ctx, request.actor)
      const reader = await chatReader(ctx.db, request.actor)
      const { talk } = await visibleTalk(ctx.db, reader, request.params.id)
      const [shown] = await showTalks(ctx.db, reader.access, sources, [talk], base(request))
      return shown as Talk
    })
    v4.post('/talks/:id/close', { schema: operations.close }, async ({ actor, params }, reply) => {
      await closeTalk(ctx, actor, params.id)
      return reply.code(202).send()
    })
  }
}
