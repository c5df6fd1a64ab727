import { infiniteQueryOptions } from '@tanstack/react-query'
import { api, dataOf, type Schemas } from '../api/client.ts'

export type LoggedRequest = Schemas['LoggedRequest']

/** The request log, newest first. */
export const requestsOptions = infiniteQueryOptions({
  queryKey: ['requests'],
  queryFn: ({ pageParam: before }) => dataOf(api.GET('/web/requests', { params: { query: { before } } })),
  initialPageParam: undefined as number | undefined,
  getNextPageParam: ({ next }) => next ?? undefined,
})
