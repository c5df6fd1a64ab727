import { mutationOptions, queryOptions } from '@tanstack/react-query'
import { api, type Body, dataOf, type Schemas } from '../api/client.ts'
import { queryClient } from './query-client.ts'

export type Code = Schemas['Code']
export type Grant = Schemas['Grant']
export type Installation = Schemas['Installation']
export type LongLived = Schemas['LongLivedToken']

export const installationsOptions = queryOptions({
  queryKey: ['installations'],
  queryFn: async () => (await dataOf(api.GET('/web/installations'))).installations,
})

const refresh = () =>
  Promise.all([
    queryClient.invalidateQueries({ queryKey: ['installations'] }),
    queryClient.invalidateQueries({ queryKey: ['integrations'] }),
  ])

/** Installs an integration of this account, or enables a disabled one. */
export const install = mutationOptions({
  mutationFn: (client_id: string) => dataOf(api.POST('/web/installations', { body: { client_id } })),
  onSuccess: refresh,
})

export const freshCode = mutationOptions({
  mutationFn: (client_id: string) =>
    dataOf(api.POST('/web/installations/{id}/code', { params: { path: { id: client_id } } })),
  gcTime: 0,
})

export const disable = mutationOptions({
  mutationFn: (client_id: string) =>
    api.POST('/web/installations/{id}/disable', { params: { path: { id: client_id } } }),
  onSuccess: refresh,
})

type NewLongLived = Body<'/web/installations/{id}/long-lived-tokens', 'post'>
export const issueLongLived = mutationOptions({
  mutationFn: ({ client_id: id, ...body }: NewLongLived & { client_id: string }) =>
    dataOf(api.POST('/web/installations/{id}/long-lived-tokens', { params: { path: { id } }, body })),
  onSuccess: refresh,
  gcTime: 0,
})

export const revokeGrant = mutationOptions({
  mutationFn: ({ client_id: id, grant_id }: { client_id: string; grant_id: string }) =>
    api.DELETE('/web/installations/{id}/grants/{grant_id}', { params: { path: { id, grant_id } } }),
  onSuccess: refresh,
})
