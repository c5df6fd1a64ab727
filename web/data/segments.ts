import { mutationOptions, queryOptions } from '@tanstack/react-query'
import { api, type Schemas } from '../api/client.ts'
import { readRows } from '../api/lists.ts'
import { queryClient } from './query-client.ts'
import type { Saved } from './saved.ts'

export type Segment = Schemas['Segment']
export type SegmentDraft = Schemas['NewSegment']

/** An account has at most a hundred segments of customers, which is one page. */
export const segmentsOptions = queryOptions({
  queryKey: ['segments'],
  queryFn: () =>
    readRows(
      api.GET('/web/v4/customers/segments', { params: { query: { limit: 250 } } }),
      ({ segments }) => segments,
    ),
  staleTime: 30_000,
})

/** Segments decide what lists and cards of customers show. */
const refresh = () =>
  Promise.all(
    [['segments'], ['record', 'customers'], ['records', 'customers']].map((queryKey) =>
      queryClient.invalidateQueries({ queryKey }),
    ),
  )

/** A new segment has no id. */
export const saveSegment = mutationOptions({
  mutationFn: ({ id, ...body }: Saved<SegmentDraft>): Promise<unknown> =>
    id === undefined
      ? api.POST('/web/v4/customers/segments', { body: body as SegmentDraft })
      : api.PATCH('/web/v4/customers/segments/{id}', { params: { path: { id } }, body }),
  onSuccess: refresh,
})

export const removeSegment = mutationOptions({
  mutationFn: (id: number) => api.DELETE('/web/v4/customers/segments/{id}', { params: { path: { id } } }),
  onSuccess: refresh,
})
