import { infiniteQueryOptions, mutationOptions, queryOptions } from '@tanstack/react-query'
import { api, type Body, dataOf, type QueryOf, type Schemas } from '../api/client.ts'
import type { DeliverySearch } from './developer-filters.ts'
import { queryClient } from './query-client.ts'
import { hasEnded, type Replayed, type ReplayPlace } from './webhooks.ts'

export type AnyDelivery = Schemas['Delivery']
export type AnyDeliveryDetails = Schemas['DeliveryDetails']
export type Receiver = Schemas['DeliveryReceiver']
export type ReplayDraft = Body<'/web/deliveries/replay', 'post'>

/** Milliseconds between two updates of what deliveries change. */
const REFRESH_MS = 3_000

/** Everything that the account sends, the latest first. Only the first page is kept up to date. */
export const allDeliveriesOptions = (search: DeliverySearch) =>
  infiniteQueryOptions({
    queryKey: ['deliveries', 'list', search],
    queryFn: ({ pageParam: before }) =>
      dataOf(
        api.GET('/web/deliveries', {
          params: { query: { ...search, before } as QueryOf<'/web/deliveries'> },
        }),
      ),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    refetchInterval: ({ state: { data } }) => (data && data.pages.length > 1 ? false : REFRESH_MS),
  })

/** One of them with its request and its attempts. It changes until it has ended. */
export const oneDeliveryOptions = (id: number) =>
  queryOptions({
    queryKey: ['deliveries', 'one', id],
    queryFn: () => dataOf(api.GET('/web/deliveries/{id}', { params: { path: { id } } })),
    refetchInterval: ({ state: { data } }) => (data && hasEnded(data) ? false : REFRESH_MS),
  })

/** The webhooks, chat channels, rules and disable hooks that receive deliveries. */
export const receiversOptions = queryOptions({
  queryKey: ['deliveries', 'receivers'],
  queryFn: async () => (await dataOf(api.GET('/web/deliveries/receivers'))).receivers,
})

const refresh = () => queryClient.invalidateQueries({ queryKey: ['deliveries'] })

export const sendDeliveryAgain = mutationOptions({
  mutationFn: (id: number) => api.POST('/web/deliveries/{id}/send', { params: { path: { id } } }),
  onSuccess: refresh,
})

interface Replay extends Pick<ReplayDraft, 'receiver' | 'from' | 'state'> {
  /** Called with the number of deliveries so far, after each portion. */
  onProgress: (count: number) => void
}

/** Sends all ended deliveries of a receiver since a time again, in portions, and returns their number. */
export const replaySince = mutationOptions({
  mutationFn: async ({ onProgress, ...draft }: Replay) => {
    let count = 0
    for (let place: ReplayPlace = {}; place; ) {
      const { replayed, next, up_to }: Replayed = await dataOf(
        api.POST('/web/deliveries/replay', { body: { ...draft, ...place } }),
      )
      count += replayed
      onProgress(count)
      place = next === null ? null : { after: next, up_to }
    }
    return count
  },
  onSettled: refresh,
})
