import { queryOptions } from '@tanstack/react-query'
import { batchIds } from '../api/batch-ids.ts'
import { api, dataOf, type Schemas } from '../api/client.ts'
import { readRows } from '../api/lists.ts'
import { fieldsOptions } from './fields.ts'
import { queryClient } from './query-client.ts'
import { type CardKind, cardKinds } from './records.ts'
import type { Note } from './timeline.ts'

export type NamedTask = Schemas['Task']

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
export const taskOptions = (id: number) =>
  queryOptions({ queryKey: ['named-task', id], queryFn: () => taskOf(id), staleTime: 60_000 })

const purchaseOf = batchIds(
  (ids: number[]) =>
    readRows(api.GET('/web/v4/customers/transactions', named(ids)), ({ transactions }) => transactions),
  idOf,
)
export const purchaseOptions = (id: number) =>
  queryOptions({ queryKey: ['purchase', id], queryFn: () => purchaseOf(id), staleTime: 60_000 })

/** The conversation of a talk. */
export const talkOptions = (talk_id: number) =>
  queryOptions({
    queryKey: ['talk', talk_id],
    queryFn: () => dataOf(api.GET('/web/v4/talks/{id}', { params: { path: { id: talk_id } } })),
    staleTime: 600_000,
  })

export const customerStagesOptions = queryOptions({
  queryKey: ['customer-stages'],
  queryFn: () => readRows(api.GET('/web/v4/customers/statuses'), ({ statuses }) => statuses),
  staleTime: 300_000,
})

/** The lists of the account by name. */
export const catalogNamesOptions = queryOptions({
  queryKey: ['catalogs', 'names'],
  queryFn: () =>
    readRows(api.GET('/web/v4/catalogs', { params: { query: { limit: 250 } } }), ({ catalogs }) => catalogs),
  staleTime: 60_000,
})

/** The choices of a field; none if it has no choices. */
export const fieldChoicesOptions = (field_id: number) =>
  queryOptions({
    queryKey: ['fields', 'choices', field_id],
    queryFn: async () => {
      const all = await Promise.all(cardKinds.map((kind) => queryClient.fetchQuery(fieldsOptions(kind))))
      return all.flat().find(({ id }) => id === field_id)?.enums ?? []
    },
    staleTime: 60_000,
  })
