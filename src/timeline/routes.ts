import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import qs from 'qs'
import { actingOf, asksForIntegration, integrationsIn, requirePaid } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import { cardTypes, entityTypes } from '../entities/records/entity-types.ts'
import { invalidChoice } from '../errors.ts'
import { type TimelineKind, timelineKinds } from '../events/event-types.ts'
import { listOf, partsOf, type QueryValue, withNames } from '../http/queries/bracket-query.ts'
import { baseOf, originOf } from '../http/queries/paging.ts'
import { anyText, choices, withAny } from '../http/queries/query-parameters.ts'
import { ByElement, ById, Timeline, TimelineQuery } from './schemas.ts'
import { type Card, readTimeline } from './timeline.ts'

const DESCRIPTION =
  'The events of the record and of its tasks. For a contact, also the messages that reached its leads. Each item contains the ' +
  'note, the message or the task that it is about, if the reader can see it.'

const operationOf = (resource: string, one: string) => ({
  operationId: `${resource}.timeline.list`,
  summary: `Shows what happened on the card of one ${one}, newest first, with the subject of each event.`,
  description: DESCRIPTION,
  returns: 'One page of the timeline.',
  tags: ['Events'],
  parameters: [
    ...withAny('only_deleted', 'integration'),
    ...choices('kind', timelineKinds),
    ...anyText(
      'integration',
      'What any of these integrations did: their ids or handles, as `events/integrations` lists them.',
    ),
  ],
  querystring: TimelineQuery,
  response: { 200: Timeline },
})
/** `/{kind}/{id}/timeline`: everything on a card, in one order. Ours: the platform has it only in its own pages. */
export function timelineRoutes(ctx: Context): FastifyPluginAsyncTypebox {
  return async (v4) => {
    const base = baseOf(v4)
    const answer = async (request: FastifyRequest, card: Omit<Card, 'inTrash'>) => {
      requirePaid(ctx, request.actor)
      const query = request.query as TimelineQuery
      const asked = {
        kinds: kindsOf(query.filter as QueryValue | undefined),
        integrations: await integrationsIn(ctx, query.filter as QueryValue | undefined),
        limit: query.limit,
        from: query.next?.toLowerCase() ?? null,
        origin: originOf(request),
        base: base(request),
        withIntegrations: asksForIntegration(query),
        acting: actingOf(ctx, request),
      }
      const inTrash = withNames(query.with as QueryValue, ['only_deleted']).size > 0
      const { items, next } = await readTimeline(ctx, request.actor, { ...card, inTrash }, asked)
      return {
        _links: {
          self: { href: originOf(request) + request.url },
          ...(next !== null && { next: { href: nextOf(request, query, next) } }),
        },
        _embedded: { items },
      }
    }
    for (const type of cardTypes) {
      const { singular } = entityTypes[type]
      const schema = { ...operationOf(singular, singular), params: ById }
      v4.get(`/${type}/:id/timeline`, { schema }, (request) =>
        answer(request, { type, id: request.params.id }),
      )
    }
    const ofElement = { ...operationOf('catalog.element', 'element'), params: ByElement }

    v4.get('/catalogs/:catalog_id/elements/:id/timeline', { schema: ofElement }, (request) =>
      answer(request, { type: 'catalog_elements', ...request.params }),
    )
  }
}

/** Parses `filter[kind]`; null without it. */
function kindsOf(filter: QueryValue | undefined): TimelineKind[] | null {
  const kinds = [...new Set(listOf(partsOf(filter).kind))].map((name) =>
    timelineKinds.find((kind) => kind === name),
  )
  if (kinds.includes(undefined)) throw invalidChoice('filter.kind', timelineKinds)
  return kinds.length > 0 ? (kinds as TimelineKind[]) : null
}

function nextOf(request: FastifyRequest, query: TimelineQuery, next: string): string {
  const path = request.url.split('?', 1)[0] as string
  return `${originOf(request)}${path}?${qs.stringify({ ...query, next }, { arrayFormat: 'indices' })}`
}
