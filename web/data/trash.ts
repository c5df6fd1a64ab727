import { mutationOptions, queryOptions } from '@tanstack/react-query'
import { api, dataOf } from '../api/client.ts'
import { queryClient } from './query-client.ts'
import { settleLists } from './record-lists.ts'
import { type Collection, kindOf, readRecord, recordKeys, recordsPath, wordOf } from './records.ts'

/** A record in the trash. */
export const trashedOptions = (collection: Collection, id: number) =>
  queryOptions({
    queryKey: [...recordKeys.one(collection), id, 'trash'],
    queryFn: () => readRecord(collection, id, 'trash'),
  })

/** Whether a record in the trash was merged, and into which record. Items of lists cannot be merged. */
export const survivorOptions = (collection: Collection, id: number) => {
  const entity_type = kindOf(collection)
  const isCard = wordOf(collection) !== 'elements'
  return queryOptions({
    queryKey: [...recordKeys.one(collection), id, 'survivor'],
    queryFn: async () =>
      isCard
        ? await dataOf(
            api.GET('/web/survivors/{entity_type}/{id}', { params: { path: { entity_type, id } } }),
          )
        : { is_merged: false, survivor: null },
  })
}

/** The old and the new state are read again everywhere. */
function settle(collection: Collection, id: number): Promise<void> {
  settleLists(collection)
  return queryClient.resetQueries({ queryKey: [...recordKeys.one(collection), id] })
}

export async function moveToTrash(collection: Collection, id: number): Promise<void> {
  const [root, path] = recordsPath(collection)
  await api.DELETE(`${root}/{id}`, { params: { path: { ...path, id } } })
  await settle(collection, id)
}

export async function restoreRecord(collection: Collection, id: number): Promise<void> {
  const [root, path] = recordsPath(collection)
  await api.POST(`${root}/{id}/restore`, { params: { path: { ...path, id } } })
  await settle(collection, id)
}

interface Merge {
  collection: Collection
  id: number
  other: number
}

/** Merges another record into this one, whose values win. */
export const mergeRecords = mutationOptions({
  mutationFn: ({ collection, id, other }: Merge) =>
    api.POST(`/web/v4/${kindOf(collection)}/merge`, { body: { id, merge: [other] } }),
  onSuccess: (_answer, { collection, id, other }) => {
    settleLists(collection)
    queryClient.invalidateQueries({ queryKey: [...recordKeys.one(collection), other] })
    return queryClient.invalidateQueries({ queryKey: [...recordKeys.one(collection), id] })
  },
})
