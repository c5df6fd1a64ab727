import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { requirePaid } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import { asText } from '../http/bodies/json-text.ts'
import { self } from '../http/hal.ts'
import { mount } from '../http/mount.ts'
import { type QueryValue, withNames } from '../http/queries/bracket-query.ts'
import { baseOf, idPositionOf, keysetPage, originOf, pageOf } from '../http/queries/paging.ts'
import { withAny } from '../http/queries/query-parameters.ts'
import { countRoutes } from './count-routes.ts'
import { eventText } from './event-text.ts'
import { eventFilters } from './filter-parameters.ts'
import { readEventFilter } from './filters.ts'
import type { CausedEvent } from './list-queries.ts'
import { eventParts, partsFor } from './names.ts'
import { readEvent, readerOf, readSlice } from './reading.ts'
import {
  ActingIntegrations,
  Event,
  EventPage,
  EventPath,
  EventQuery,
  EventsQuery,
  EventTypes,
  EventTypesQuery,
} from './schemas.ts'
import { type Beside, sendEvents, streamFormOf } from './stream-routes.ts'
import type { Subjects } from './subjects.ts'
import { languageOf, listEventTypes } from './types-list.ts'

const operations = {
  list: {
    operationId: 'events.list',
    summary: 'Lists events, newest first, one page at a time, follows them live, or exports them.',
    description:
      'With `Accept: text/event-stream` the list is a live stream, which resumes after `Last-Event-ID`. With `text/csv` or ' +
      '`application/x-ndjson` it is an export.',
    returns: 'One page of events.',
    tags: ['Events'],
    parameters: [...withAny(...eventParts), ...eventFilters],
    requestHeaders: { 'Last-Event-ID': 'The event after which a stream resumes.' },
    exports: {
      'text/event-stream': 'The log as it grows: one event each, with its id.',
      'application/x-ndjson': 'One event per line.',
      'text/csv': 'A line of names, then one event per line.',
    },
    querystring: EventsQuery,
    response: { 200: EventPage },
  },
  types: {
    operationId: 'events.types.list',
    summary: 'Lists the types of events in one of four languages, including one type for each field.',
    returns: 'The event types.',
    tags: ['Events'],
    querystring: EventTypesQuery,
    response: { 200: EventTypes },
  },
  integrations: {
    operationId: 'events.integrations.list',
    summary:
      'Lists the integrations that can have acted: those that are or were installed in the account, by name.',
    description:
      'An id is the integration id in the account of its developer, and elsewhere a handle. Both are values of `filter[integration]`.',
    returns: 'The integrations.',
    tags: ['Events'],
    response: { 200: ActingIntegrations },
  },
  get: {
    operationId: 'events.get',
    summary: 'Shows one event.',
    returns: 'The event.',
    tags: ['Events'],
    parameters: withAny(...eventParts, 'request_id'),
    params: EventPath,
    querystring: EventQuery,
    response: { 200: Event },
  },
}

/** `/events`: the account's log. Everybody in the account can read the events of the records that they can see. */
export function eventRoutes(ctx: Context, subjects: Subjects, beside?: Beside): FastifyPluginAsyncTypebox {
  return async (v4) => {
    const base = baseOf(v4)
    const send = sendEvents(ctx, v4, subjects, beside)

    v4.get('/events', { schema: operations.list }, async (request, reply) => {
      const { actor, query } = request
      requirePaid(ctx, actor)
      const form = streamFormOf(request)
      if (form) return send(request, reply, form)
      const filter = await readEventFilter(ctx, query.filter as QueryValue)
      const page = pageOf(query)
      const from = idPositionOf(query)
      const reader = await readerOf(ctx.db, actor, subjects)
      const slice = { limit: page.limit + 1, offset: from === null ? page.offset : 0 }
      const rows = await readSlice(ctx.db, reader, { filter, direction: 'older', from }, slice)
      const events = rows.slice(0, page.limit)
      const next = rows.length > page.limit ? (events.at(-1)?.id ?? null) : null
      const requested = withNames(query.with as QueryValue, eventParts)
      const parts = await partsFor(ctx, actor.account_id, subjects, events, requested)
      const rendering = { account_id: actor.account_id, base: base(request), ...parts }
      let json = `${JSON.stringify(keysetPage(request, page, next)).slice(0, -1)},"_embedded":{"events":[`
      for (const [i, event] of events.entries()) json += (i > 0 ? ',' : '') + eventText(event, rendering)
      return asText(reply, `${json}]}}`)
    })
    await mount(v4, countRoutes(ctx, subjects))
    v4.get('/events/integrations', { schema: operations.integrations }, async (request) => {
      const { actor } = request
      requirePaid(ctx, actor)
      const integrations = await ctx.actingIntegrations.list(ctx, actor.account_id)
      return {
        _total_items: integrations.length,
        _links: self(originOf(request) + request.url),
        _embedded: { integrations },
      }
    })
    v4.get('/events/types', { schema: operations.types }, async (request) => {
      const { actor, query } = request
      requirePaid(ctx, actor)
      const language = languageOf(query.language_code, actor.lang)
      const events_types = await listEventTypes(ctx.db, actor.account_id, language)
      return {
        _total_items: events_types.length,
        _links: self(originOf(request) + request.url),
        _embedded: { events_types },
      }
    })
    v4.get('/events/:id', { schema: operations.get }, async (request, reply) => {
      const { actor, params, query } = request
      requirePaid(ctx, actor)
      const reader = await readerOf(ctx.db, actor, subjects)
      const event = await readEvent(ctx.db, reader, params.id.toLowerCase())
      const requested = withNames(query.with as QueryValue, eventParts)
      const parts = await partsFor(ctx, actor.account_id, subjects, [event], requested)
      const json = eventText(event, { account_id: actor.account_id, base: base(request), ...parts })
      const isCauseAsked = withNames(query.with as QueryValue, ['request_id']).size > 0
      return asText(reply, isCauseAsked ? withCause(json, event) : json)
    })
  }
}

/** Adds the request that caused the event: the `x-request-id` of its answer, as in the audit log and the server log. */
const withCause = (json: string, { request_id }: CausedEvent) =>
  `${json.slice(0, -1)},"request_id":${JSON.stringify(request_id)}}`
