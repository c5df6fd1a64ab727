import { queryOptions } from '@tanstack/react-query'
import { batchIds } from '../api/batch-ids.ts'
import { query } from '../api/client.ts'
import { readRows } from '../api/lists.ts'
import { type AnyRecord, type Collection, readRecords, recordKeys, wordOf } from './records.ts'

/** Records of a collection that are asked for in the same moment are read together. */
const readers = new Map<Collection, (id: number) => Promise<AnyRecord | null>>()

/**
 * A record as its list shows it, for what names it by its id alone; null when it may not be seen or is gone. Under the key
 * of the record, so that it is read again when that changes.
 */
export const briefOptions = (collection: Collection, id: number) =>
  queryOptions({
    queryKey: [...recordKeys.one(collection), id, 'brief'],
    queryFn: () => {
      const read =
        readers.get(collection) ??
        batchIds(
          (ids: number[]) => readRecords(collection, ids),
          ({ id }) => id,
        )
      readers.set(collection, read)
      return read(id)
    },
    staleTime: 60_000,
  })

/** How many records are offered to choose from. */
const FEW = 12

/** The records of a collection that fit the words, the newest first when there are none. */
export const foundOptions = (collection: Collection, words: string) =>
  queryOptions({
    queryKey: ['found', collection, words],
    queryFn: () => {
      const search = query(words ? { query: words, limit: FEW } : { 'order[id]': 'desc', limit: FEW })
      return readRows<AnyRecord>(`/web/v4/${collection}${search}`, wordOf(collection))
    },
    staleTime: 10_000,
  })
