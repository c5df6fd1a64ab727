import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { query } from '../api/client.ts'
import { readRows } from '../api/lists.ts'
import type { CardKind } from './records.ts'

export interface Tag {
  id: number
  name: string
  color: string | null
}

const MOST_OFFERED = 30

/** Tags of a kind whose names begin with what was typed. */
export const tagsOptions = (kind: CardKind, typed: string) =>
  queryOptions({
    queryKey: ['tags', kind, typed],
    queryFn: () => {
      const search = query({ query: typed || undefined, limit: MOST_OFFERED })
      return readRows<Tag>(`/web/v4/${kind}/tags${search}`, 'tags')
    },
    staleTime: 30_000,
    placeholderData: keepPreviousData,
  })

/** As many tags of a kind as the API gives at once, for a filter to choose among. */
export const everyTagOptions = (kind: CardKind) =>
  queryOptions({
    queryKey: ['tags', kind],
    queryFn: () => readRows<Tag>(`/web/v4/${kind}/tags${query({ limit: 250 })}`, 'tags'),
    staleTime: 60_000,
  })
