import { mutationOptions, queryOptions } from '@tanstack/react-query'
import type { FieldGroup, FieldGroupPatch, FieldPatch } from '../../src/custom-fields/schemas.ts'
import { request } from '../api/client.ts'
import { fieldKeys } from './fields.ts'
import { queryClient } from './query-client.ts'
import type { Collection } from './records.ts'

export type { FieldGroup, FieldPatch }

const homeOf = (collection: Collection) => `/web/v4/${collection.replace(/\/elements$/, '')}/custom_fields`

/** Whatever changes a field changes what every list and card shows. */
export const settleFields = () => queryClient.invalidateQueries({ queryKey: fieldKeys.all })
const settleWithRecords = () =>
  Promise.all(
    [fieldKeys.all, ['record'], ['records']].map((queryKey) => queryClient.invalidateQueries({ queryKey })),
  )

/** Adds a field that has no id, and changes one that has. */
export const writeField = (collection: Collection) =>
  mutationOptions({
    mutationFn: ({ id, ...said }: FieldPatch & { id?: number }) =>
      id === undefined
        ? request<unknown>('POST', homeOf(collection), [said])
        : request<unknown>('PATCH', `${homeOf(collection)}/${id}`, said),
    onSuccess: settleWithRecords,
  })
export const removeField = (collection: Collection) =>
  mutationOptions({
    mutationFn: (id: number) => request<void>('DELETE', `${homeOf(collection)}/${id}`),
    onSuccess: settleWithRecords,
  })

/** The places of fields among those of their group. */
export const sortFields = (collection: Collection) =>
  mutationOptions({
    mutationFn: (sorts: { id: number; sort: number }[]) =>
      request<unknown>('PATCH', homeOf(collection), sorts),
  })

/** How many records would lose a value with the field. */
export const fieldUsageOptions = (collection: Collection, id: number) =>
  queryOptions({
    queryKey: ['field-usage', collection, id],
    queryFn: () => request<{ records: number }>('GET', `${homeOf(collection)}/${id}/usage`),
    staleTime: 0,
    gcTime: 0,
  })

export const addFieldGroup = (collection: Collection) =>
  mutationOptions({
    mutationFn: (draft: { name: string; sort: number }) =>
      request<unknown>('POST', `${homeOf(collection)}/groups`, [draft]),
    onSuccess: settleFields,
  })
export const patchFieldGroup = (collection: Collection) =>
  mutationOptions({
    mutationFn: ({ id, ...patch }: FieldGroupPatch & { id: string }) =>
      request<unknown>('PATCH', `${homeOf(collection)}/groups/${id}`, patch),
    onSuccess: settleFields,
  })
export const removeFieldGroup = (collection: Collection) =>
  mutationOptions({
    mutationFn: (id: string) => request<void>('DELETE', `${homeOf(collection)}/groups/${id}`),
    onSuccess: settleFields,
  })
