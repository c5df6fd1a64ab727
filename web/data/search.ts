import { queryOptions } from '@tanstack/react-query'
import { api, dataOf } from '../api/client.ts'
import { readRows } from '../api/lists.ts'
import { type AnyRecord, type CardKind, type Collection, cardKinds, elementsOf } from './records.ts'

/** A found record and the collection of its card. */
export interface FoundRecord {
  collection: Collection
  kind: CardKind | 'catalog_elements'
  record: AnyRecord
}

/** The kinds in the order of the results. */
export const foundKinds = [...cardKinds, 'catalog_elements'] as const

/** Records of all kinds that match the words. */
export const searchOptions = (words: string, limit = 6) =>
  queryOptions({
    queryKey: ['search', words, limit],
    queryFn: async (): Promise<FoundRecord[]> => {
      const { _embedded } = await dataOf(
        api.GET('/web/v4/search', { params: { query: { query: words, limit } } }),
      )
      return foundKinds.flatMap((kind) =>
        _embedded[kind].map((record: AnyRecord) => ({
          kind,
          record,
          collection: kind === 'catalog_elements' ? elementsOf(record.catalog_id ?? 0) : kind,
        })),
      )
    },
    enabled: words !== '',
    staleTime: 10_000,
  })

/** The number of tasks in the results. */
const FEW = 4

/** Open tasks whose text contains the words, earliest deadline first. */
export const taskSearchOptions = (words: string) =>
  queryOptions({
    queryKey: ['search', 'tasks', words],
    queryFn: () => {
      const query = {
        'filter[text]': words,
        'filter[is_completed]': ['0' as const],
        'order[complete_till]': 'asc' as const,
        limit: FEW,
      }
      return readRows(api.GET('/web/v4/tasks', { params: { query } }), ({ tasks }) => tasks)
    },
    enabled: words !== '',
    staleTime: 10_000,
  })
