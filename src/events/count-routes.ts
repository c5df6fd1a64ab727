import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { requirePaid } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import type { QueryValue } from '../http/queries/bracket-query.ts'
import { countEvents } from './counting.ts'
import { eventFilters } from './filter-parameters.ts'
import { readEventFilter } from './filters.ts'
import { readerOf } from './reading.ts'
import { CountsQuery, EventCounts } from './schemas.ts'
import type { Subjects } from './subjects.ts'

const operations = {
  get: {
    operationId: 'events.counts.get',
    summary: 'Counts the events that match the filter of the list, by day or by hour.',
    description:
      'Sixty days if the filter has no beginning, and at most 1,500 days or hours. If the counts are too much work, the oldest are ' +
      'left out: then `complete_from` says from when the counts are complete.',
    returns: 'The number of events in each day or hour.',
    tags: ['Events'],
    parameters: eventFilters,
    querystring: CountsQuery,
    response: { 200: EventCounts },
  },
}

/** `/events/counts`: the number of events per day or hour, with the filters of the list. */
export function countRoutes(ctx: Context, subjects: Subjects): FastifyPluginAsyncTypebox {
  return async (v4) => {
    v4.get('/events/counts', { schema: operations.get }, async ({ actor, query }) => {
      requirePaid(ctx, actor)
      const { by, time_zone } = query
      const asked = { filter: await readEventFilter(ctx, query.filter as QueryValue), by, time_zone }
      const reader = await readerOf(ctx.db, actor, subjects)
      const { counts, complete_from } = await countEvents(ctx.db, reader, asked, ctx.now())
      return { complete_from, _embedded: { counts } }
    })
  }
}
