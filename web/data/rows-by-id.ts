import { queryOptions } from '@tanstack/react-query'
import { batchIds } from '../api/batch-ids.ts'
import { api } from '../api/client.ts'
import { readRows } from '../api/lists.ts'
import type { CardKind } from './records.ts'
import type { Note } from './timeline.ts'

/** Reads the notes that are requested at almost the same time together. */
const notesOf = new Map<CardKind, (id: number) => Promise<Note | null>>()

const idOf = <Id>({ id }: { id: Id }): Id => id

/** The parameters that read the rows with these ids. */
const named = (ids: number[]) => ({ params: { query: { 'filter[id]': ids, limit: ids.length } } })

export const noteOptions = (kind: CardKind, id: number) =>
  queryOptions({
    queryKey: ['note', kind, id],
    queryFn: () => {
      const one =
        notesOf.get(kind) ??
        batchIds(
          (ids: number[]) => readRows(api.GET(`/web/v4/${kind}/notes`, named(ids)), ({ notes }) => notes),
          idOf,
        )
      notesOf.set(kind, one)
      return one(id)
    },
    staleTime: 60_000,
  })

const taskOf = batchIds(
  (ids: number[]) => readRows(api.GET('/web/v4/tasks', named(ids)), ({ tasks }) => tasks),
  idOf,
)
export const namedTaskOptions = (id: number) =>
  queryOptions({ queryKey: ['named-task', id], queryFn: () => taskOf(id), staleTime: 60_000 })

const purchaseOf = batchIds(
  (ids: number[]) =>
    readRows(api.GET('/web/v4/customers/transactions', named(ids)), ({ transactions }) => transactions),
  idOf,
)
export const purchaseOptions = (id: number) =>
  queryOptions({ queryKey: ['purchase', id], queryFn: () => purchaseOf(id), staleTime: 60_000 })
