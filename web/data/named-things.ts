import { queryOptions } from '@tanstack/react-query'
import type { Static } from 'typebox'
import type { Transaction } from '../../src/entities/transaction-schemas.ts'
import type { CustomerStatus } from '../../src/pipelines/schemas.ts'
import type { Task } from '../../src/tasks/schemas.ts'
import { batchIds } from '../api/batch-ids.ts'
import { query, request } from '../api/client.ts'
import { readRows } from '../api/lists.ts'
import { fieldsOptions } from './fields.ts'
import { queryClient } from './query-client.ts'
import { type CardKind, cardKinds } from './records.ts'
import type { Note } from './timeline.ts'

export type NamedTask = Pick<Task, 'id' | 'text' | 'entity_type' | 'entity_id' | 'result'>
export type Purchase = Pick<Transaction, 'id' | 'price' | 'comment'>

/** Notes of a kind that are asked for in the same moment are read together. */
const notesOf = new Map<CardKind, (id: number) => Promise<Note | null>>()

const idOf = <Id>({ id }: { id: Id }): Id => id

const listed = <Item>(path: string, name: string, ids: number[]): Promise<Item[]> => {
  const filter = Object.fromEntries(ids.map((id, i) => [`filter[id][${i}]`, id]))
  return readRows<Item>(`/web/v4/${path}${query({ ...filter, limit: ids.length })}`, name)
}

export const noteOptions = (kind: CardKind, id: number) =>
  queryOptions({
    queryKey: ['note', kind, id],
    queryFn: () => {
      const one =
        notesOf.get(kind) ?? batchIds((ids: number[]) => listed<Note>(`${kind}/notes`, 'notes', ids), idOf)
      notesOf.set(kind, one)
      return one(id)
    },
    staleTime: 60_000,
  })

const taskOf = batchIds((ids: number[]) => listed<NamedTask>('tasks', 'tasks', ids), idOf)
export const taskOptions = (id: number) =>
  queryOptions({ queryKey: ['named-task', id], queryFn: () => taskOf(id), staleTime: 60_000 })

const purchaseOf = batchIds(
  (ids: number[]) => listed<Purchase>('customers/transactions', 'transactions', ids),
  idOf,
)
export const purchaseOptions = (id: number) =>
  queryOptions({ queryKey: ['purchase', id], queryFn: () => purchaseOf(id), staleTime: 60_000 })

/** In which conversation a piece of talk is. */
export const talkOptions = (talk_id: number) =>
  queryOptions({
    queryKey: ['talk', talk_id],
    queryFn: () => request<{ chat_id: string }>('GET', `/web/v4/talks/${talk_id}`),
    staleTime: 600_000,
  })

export const customerStagesOptions = queryOptions({
  queryKey: ['customer-stages'],
  queryFn: () => readRows<Static<typeof CustomerStatus>>('/web/v4/customers/statuses', 'statuses'),
  staleTime: 300_000,
})

/** The lists of the account by name. */
export const catalogNamesOptions = queryOptions({
  queryKey: ['catalogs', 'names'],
  queryFn: () => readRows<{ id: number; name: string }>('/web/v4/catalogs?limit=250', 'catalogs'),
  staleTime: 60_000,
})

/** What a field of any card offers to choose from; nothing when it is no such field. */
export const fieldChoicesOptions = (field_id: number) =>
  queryOptions({
    queryKey: ['fields', 'choices', field_id],
    queryFn: async () => {
      const all = await Promise.all(cardKinds.map((kind) => queryClient.ensureQueryData(fieldsOptions(kind))))
      return all.flat().find(({ id }) => id === field_id)?.enums ?? []
    },
    staleTime: 60_000,
  })
