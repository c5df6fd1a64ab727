import { queryOptions } from '@tanstack/react-query'
import type { Static } from 'typebox'
import type { EventPage } from '../../src/events/schemas.ts'
import { query, request } from '../api/client.ts'
import { countsOptions, namesWish } from './events.ts'

/** How many rows of the log are shown, and how often they are counted anew, in milliseconds. */
const FEW = 8
const AGAIN = 60_000

const since = (from: number) => ({ 'filter[created_at][from]': String(from) })

/** The latest of what happened since a moment. */
export const latestOptions = (from: number) =>
  queryOptions({
    queryKey: ['home', 'latest', from],
    queryFn: async () => {
      const search = query({ ...since(from), with: namesWish, limit: FEW })
      return (await request<Static<typeof EventPage>>('GET', `/web/v4/events${search}`))._embedded.events
    },
  })

/** How much happened in each hour since a moment. */
export const hoursOptions = (from: number) => ({
  ...countsOptions(since(from), 'hour'),
  refetchInterval: AGAIN,
})
