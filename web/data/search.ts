import { queryOptions } from '@tanstack/react-query'
import { query, request } from '../api/client.ts'
import { readRows } from '../api/lists.ts'
import { type AnyRecord, type CardKind, type Collection, cardKinds, elementsOf } from './records.ts'
import type { Task } from './tasks.ts'

type Found = Partial<Record<CardKind | 'catalog_elements', (AnyRecord & { catalog_id?: number })[]>>

/** A record that was found, and where its card is. */
export interface FoundRecord {
  collection: Collection
  kind: CardKind | 'catalog_elements'
  record: AnyRecord
}

/** The kinds in the order in which what was found stands. */
export const foundKinds = [...cardKinds, 'catalog_elements'] as const

/** Records of every kind that fit the words and may be seen. */
export const searchOptions = (words: string, limit = 6) =>
  queryOptions({
    queryKey: ['search', words, limit],
    queryFn: async (): Promise<FoundRecord[]> => {
      const answer = await request<{ _embedded: Found }>(
        'GET',
        `/web/v4/search${query({ query: words, limit })}`,
      )
      return foundKinds.flatMap((kind) =>
        (answer._embedded[kind] ?? []).map((record) => ({
          kind,
          record,
          collection: kind === 'catalog_elements' ? elementsOf(record.catalog_id ?? 0) : kind,
        })),
      )
    },
    enabled: words !== '',
    staleTime: 10_000,
  })

/** How many tasks are shown among what was found. */
const FEW = 4

/** Open tasks whose text holds the words; those that are due first. */
export const taskSearchOptions = (words: string) =>
  queryOptions({
    queryKey: ['search', 'tasks', words],
    queryFn: async () => {
      const search = query({
        'filter[text]': words,
        'filter[is_completed]': 0,
        'order[complete_till]': 'asc',
        limit: FEW,
      })
      return readRows<Task>(`/web/v4/tasks${search}`, 'tasks')
    },
    enabled: words !== '',
    staleTime: 10_000,
  })
