import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, type QueryOf, type Schemas } from '../api/client.ts'
import { readAllRows, readPage, readRows } from '../api/lists.ts'
import type { CardKind } from './records.ts'

export type Tag = Schemas['Tag']

const MOST_OFFERED = 30

const readTags = (kind: CardKind, query: QueryOf<'/web/v4/leads/tags'>) =>
  readRows(api.GET(`/web/v4/${kind}/tags`, { params: { query } }), ({ tags }) => tags)

/** The tags of a kind that begin with the typed text. */
export const tagsOptions = (kind: CardKind, typed: string) =>
  queryOptions({
    queryKey: ['tags', kind, typed],
    queryFn: () => readTags(kind, { query: typed || undefined, limit: MOST_OFFERED }),
    staleTime: 30_000,
    placeholderData: keepPreviousData,
  })

/** All tags of a kind, for a filter. */
export const everyTagOptions = (kind: CardKind) =>
  queryOptions({
    queryKey: ['tags', kind],
    queryFn: () =>
      readAllRows((next) =>
        readPage(
          api.GET(`/web/v4/${kind}/tags`, { params: { query: next ?? { limit: 250 } } }),
          ({ tags }) => tags,
        ),
      ),
    staleTime: 60_000,
  })
