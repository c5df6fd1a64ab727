import { queryOptions } from '@tanstack/react-query'
import { batchIds } from '../api/batch-ids.ts'
import { Problem } from '../api/problem.ts'
import { type AnyRecord, type Collection, readList, readRecords, recordKeys } from './records.ts'

/** Reads the records that are requested at almost the same time together. */
const readers = new Map<Collection, (id: number) => Promise<AnyRecord | null>>()

/**
 * A record as lists show it, by its id; null if it is deleted or hidden. Its key is below that of the record, so that
 * it is read again after a change.
 */
export const briefOptions = (collection: Collection, id: number) =>
  queryOptions({
    queryKey: [...recordKeys.one(collection), id, 'brief'],
    queryFn: () => {
      const read =
        readers.get(collection) ??
        batchIds(
          (ids: number[]) => readVisible(collection, ids),
          ({ id }) => id,
        )
      readers.set(collection, read)
      return read(id)
    },
    staleTime: 60_000,
  })

/** The items of a list that is deleted or hidden are missing, like hidden records. */
const readVisible = (collection: Collection, ids: number[]): Promise<AnyRecord[]> =>
  readRecords(collection, ids).catch((error: unknown) => {
    if (error instanceof Problem && [403, 404].includes(error.status)) return []
    throw error
  })

/** The number of records to choose from. */
const FEW = 12

/** The records that match the words, or the newest ones without words. */
export const foundOptions = (collection: Collection, words: string) =>
  queryOptions({
    queryKey: ['found', collection, words],
    queryFn: async () => {
      const search = words ? { query: words } : { 'order[id]': 'desc' }
      return (await readList(collection, { ...search, limit: FEW })).rows
    },
    staleTime: 10_000,
  })
