import { mutationOptions, queryOptions } from '@tanstack/react-query'
import { api, type Body, dataOf, type Schemas } from '../api/client.ts'
import { queryClient } from './query-client.ts'

export type View = Schemas['View']
type NewView = Body<'/web/views', 'post'>
type ViewPatch = Body<'/web/views/{id}', 'patch'>

/** The saved views of the reader, and the shared ones, of all lists. */
export const viewsOptions = queryOptions({
  queryKey: ['views'],
  queryFn: async () => (await dataOf(api.GET('/web/views'))).views,
  staleTime: 60_000,
})

const change = (next: (views: View[]) => View[]) =>
  queryClient.setQueryData(viewsOptions.queryKey, (views: View[] | undefined) => views && next(views))

/** Adds a view, or changes an existing one. */
export const keepView = mutationOptions({
  mutationFn: (draft: NewView | (ViewPatch & { id: number })) => {
    if (!('id' in draft)) return dataOf(api.POST('/web/views', { body: draft }))
    const { id, ...body } = draft
    return dataOf(api.PATCH('/web/views/{id}', { params: { path: { id } }, body }))
  },
  onSuccess: (view) => change((views) => [...views.filter(({ id }) => id !== view.id), view].sort(byAge)),
})
const byAge = (one: View, other: View) => one.id - other.id

export const removeView = mutationOptions({
  mutationFn: (id: number) => api.DELETE('/web/views/{id}', { params: { path: { id } } }),
  onSuccess: (_answer, id) => change((views) => views.filter((one) => one.id !== id)),
})
