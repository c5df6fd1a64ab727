import { mutationOptions, queryOptions } from '@tanstack/react-query'
import type { NewView, View, ViewPatch } from '../../src/saved-views/schemas.ts'
import { request } from '../api/client.ts'
import { queryClient } from './query-client.ts'

export type { View }

/** What the reader has kept of all lists, and what is there for everybody. */
export const viewsOptions = queryOptions({
  queryKey: ['views'],
  queryFn: async () => (await request<{ views: View[] }>('GET', '/web/views')).views,
  staleTime: 60_000,
})

const change = (next: (views: View[]) => View[]) =>
  queryClient.setQueryData(viewsOptions.queryKey, (views: View[] | undefined) => views && next(views))

/** Keeps a new view, or changes one that there is. */
export const keepView = mutationOptions({
  mutationFn: (draft: NewView | (ViewPatch & { id: number })) => {
    if (!('id' in draft)) return request<View>('POST', '/web/views', draft)
    const { id, ...patch } = draft
    return request<View>('PATCH', `/web/views/${id}`, patch)
  },
  onSuccess: (view) => change((views) => [...views.filter(({ id }) => id !== view.id), view].sort(byAge)),
})
const byAge = (one: View, other: View) => one.id - other.id

export const removeView = mutationOptions({
  mutationFn: (id: number) => request<void>('DELETE', `/web/views/${id}`),
  onSuccess: (_answer, id) => change((views) => views.filter((one) => one.id !== id)),
})
