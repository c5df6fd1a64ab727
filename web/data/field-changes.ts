import { mutationOptions, queryOptions } from '@tanstack/react-query'
import { api, dataOf, type Schemas } from '../api/client.ts'
import { fieldKeys, fieldsPath } from './fields.ts'
import { queryClient } from './query-client.ts'
import type { Collection } from './records.ts'

export type FieldGroup = Schemas['CustomFieldGroup']
export type FieldPatch = Schemas['CustomFieldPatch']

/** Every change of a field changes all lists and cards. */
export const settleFields = () => queryClient.invalidateQueries({ queryKey: fieldKeys.all })
const settleWithRecords = () =>
  Promise.all(
    [fieldKeys.all, ['record'], ['records']].map((queryKey) => queryClient.invalidateQueries({ queryKey })),
  )

/** Adds a field without an id, and changes a field with one. */
export const writeField = (collection: Collection) => {
  const [root, path] = fieldsPath(collection)
  return mutationOptions({
    mutationFn: ({ id, ...body }: FieldPatch & { id?: number }): Promise<unknown> =>
      id === undefined
        ? api.POST(root, { params: { path }, body: [body as Schemas['NewCustomField']] })
        : api.PATCH(`${root}/{id}`, { params: { path: { ...path, id } }, body }),
    onSuccess: settleWithRecords,
  })
}
export const removeField = (collection: Collection) => {
  const [root, path] = fieldsPath(collection)
  return mutationOptions({
    mutationFn: (id: number) => api.DELETE(`${root}/{id}`, { params: { path: { ...path, id } } }),
    onSuccess: settleWithRecords,
  })
}

/** The positions of fields within their group. */
export const sortFields = (collection: Collection) => {
  const [root, path] = fieldsPath(collection)
  return mutationOptions({
    mutationFn: (sorts: { id: number; sort: number }[]) => api.PATCH(root, { params: { path }, body: sorts }),
  })
}

/** The number of records that would lose a value. */
export const fieldUsageOptions = (collection: Collection, id: number) => {
  const [root, path] = fieldsPath(collection)
  return queryOptions({
    queryKey: ['field-usage', collection, id],
    queryFn: () => dataOf(api.GET(`${root}/{id}/usage`, { params: { path: { ...path, id } } })),
    staleTime: 0,
    gcTime: 0,
  })
}

export const addFieldGroup = (collection: Collection) => {
  const [root, path] = fieldsPath(collection)
  return mutationOptions({
    mutationFn: (draft: { name: string; sort: number }) =>
      api.POST(`${root}/groups`, { params: { path }, body: [draft] }),
    onSuccess: settleFields,
  })
}
export const patchFieldGroup = (collection: Collection) => {
  const [root, path] = fieldsPath(collection)
  return mutationOptions({
    mutationFn: ({ id, ...body }: Schemas['CustomFieldGroupPatch'] & { id: string }) =>
      api.PATCH(`${root}/groups/{id}`, { params: { path: { ...path, id } }, body }),
    onSuccess: settleFields,
  })
}
export const removeFieldGroup = (collection: Collection) => {
  const [root, path] = fieldsPath(collection)
  return mutationOptions({
    mutationFn: (id: string) => api.DELETE(`${root}/groups/{id}`, { params: { path: { ...path, id } } }),
    onSuccess: settleFields,
  })
}
