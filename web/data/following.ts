import { mutationOptions, queryOptions } from '@tanstack/react-query'
import { api, dataOf } from '../api/client.ts'
import { queryClient } from './query-client.ts'
import type { Collection } from './records.ts'

/** Kinds of records that people can follow. */
const followedKinds = ['leads', 'customers'] as const
export type FollowedKind = (typeof followedKinds)[number]

export const isFollowedKind = (collection: Collection): collection is FollowedKind =>
  (followedKinds as readonly string[]).includes(collection)

/** The records that the person follows, as `leads 12`. */
export const followedOptions = queryOptions({
  queryKey: ['followed'],
  queryFn: async () => {
    const { records } = await dataOf(api.GET('/web/followed'))
    return new Set(records.map(({ entity_type, entity_id }) => followedKey(entity_type, entity_id)))
  },
  staleTime: 60_000,
})

export const followedKey = (collection: Collection, id: number): string => `${collection} ${id}`

/** Lets the person follow a record, or no longer follow it. Shown at once. */
export const followRecord = (collection: FollowedKind, id: number) =>
  mutationOptions({
    mutationFn: (isFollowed: boolean) => {
      const params = { path: { id } }
      return isFollowed
        ? api.PUT(`/web/v4/${collection}/{id}/subscriptions`, { params })
        : api.DELETE(`/web/v4/${collection}/{id}/subscriptions`, { params })
    },
    onMutate: (isFollowed) => {
      const key = followedKey(collection, id)
      queryClient.setQueryData(followedOptions.queryKey, (all = new Set<string>()) =>
        isFollowed ? new Set(all).add(key) : all.difference(new Set([key])),
      )
    },
    onSettled: () => queryClient.invalidateQueries(followedOptions),
  })
