import { mutationOptions, queryOptions } from '@tanstack/react-query'
import { request } from '../api/client.ts'
import { queryClient } from './query-client.ts'
import { settleLists } from './record-lists.ts'
import { type Collection, readRecord, recordKeys } from './records.ts'

/** A record that lies in the trash. */
export const trashedOptions = (collection: Collection, id: number) =>
  queryOptions({
    queryKey: [...recordKeys.one(collection), id, 'trash'],
    queryFn: () => readRecord(collection, id, 'trash'),
  })

/** Both what it was and what it is are read anew, wherever it is shown. */
function settle(collection: Collection, id: number): Promise<void> {
  settleLists(collection)
  return queryClient.resetQueries({ queryKey: [...recordKeys.one(collection), id] })
}

export async function moveToTrash(collection: Collection, id: number): Promise<void> {
  await request<void>('DELETE', `/web/v4/${collection}/${id}`)
  await settle(collection, id)
}

export async function restoreRecord(collection: Collection, id: number): Promise<void> {
  await request<unknown>('POST', `/web/v4/${collection}/${id}/restore`)
  await settle(collection, id)
}

interface Merge {
  collection: Collection
  id: number
  other: number
}

/** The other record becomes part of this one, which has its own values where both have one. */
export const mergeRecords = mutationOptions({
  mutationFn: ({ collection, id, other }: Merge) =>
    request<void>('POST', `/web/v4/${collection}/merge`, { id, merge: [other] }),
  onSuccess: (_answer, { collection, id, other }) => {
    settleLists(collection)
    queryClient.invalidateQueries({ queryKey: [...recordKeys.one(collection), other] })
    return queryClient.invalidateQueries({ queryKey: [...recordKeys.one(collection), id] })
  },
})
