import { infiniteQueryOptions, mutationOptions, queryOptions } from '@tanstack/react-query'
import { type Answer, api, type Body, dataOf, fileBody, type Schemas } from '../api/client.ts'
import { queryClient } from './query-client.ts'

export type AuditEntry = Schemas['AuditEntry']
export type Integration = Schemas['Integration']
export type Keys = Schemas['Keys']
export type NewIntegration = Body<'/web/integrations', 'post'>
export type Permission = Integration['permissions'][number]
export type SavedIntegration = Answer<'/web/integrations', 'post'>

/** The integrations of this account. */
export const integrationsOptions = queryOptions({
  queryKey: ['integrations'],
  queryFn: async () => (await dataOf(api.GET('/web/integrations'))).integrations,
})

export const integrationOptions = (id: string) =>
  queryOptions({
    queryKey: ['integrations', id],
    queryFn: () => dataOf(api.GET('/web/integrations/{id}', { params: { path: { id } } })),
  })

export const logOptions = (id: string) =>
  infiniteQueryOptions({
    queryKey: ['integrations', id, 'log'],
    queryFn: ({ pageParam: before }) =>
      dataOf(api.GET('/web/integrations/{id}/log', { params: { path: { id }, query: { before } } })),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next ?? undefined,
  })

/** Both lists show names, icons and states. */
const keep = (integration: Integration) => {
  queryClient.setQueryData(integrationOptions(integration.id).queryKey, integration)
  return Promise.all([
    queryClient.invalidateQueries({ queryKey: ['integrations'] }),
    queryClient.invalidateQueries({ queryKey: ['installations'] }),
  ])
}

export const addIntegration = mutationOptions({
  mutationFn: (draft: NewIntegration) => dataOf(api.POST('/web/integrations', { body: draft })),
  onSuccess: ({ integration }) => keep(integration),
})

export const patchIntegration = mutationOptions({
  mutationFn: ({ id, ...body }: Body<'/web/integrations/{id}', 'patch'> & { id: string }) =>
    dataOf(api.PATCH('/web/integrations/{id}', { params: { path: { id } }, body })),
  onSuccess: keep,
})

export const putIcon = mutationOptions({
  mutationFn: ({ id, file }: { id: string; file: File }) =>
    dataOf(api.PUT('/web/integrations/{id}/icon', { params: { path: { id } }, ...fileBody(file) })),
  onSuccess: keep,
})

export const deleteIcon = mutationOptions({
  mutationFn: (id: string) => dataOf(api.DELETE('/web/integrations/{id}/icon', { params: { path: { id } } })),
  onSuccess: keep,
})

export const checkRedirect = mutationOptions({
  mutationFn: (id: string) => dataOf(api.POST('/web/integrations/{id}/check', { params: { path: { id } } })),
  onSuccess: keep,
})

export const showKeys = mutationOptions({
  mutationFn: (id: string) => dataOf(api.POST('/web/integrations/{id}/keys', { params: { path: { id } } })),
  onSuccess: (_keys, id) => queryClient.invalidateQueries({ queryKey: ['integrations', id, 'log'] }),
  gcTime: 0,
})

export const regenerateSecret = mutationOptions({
  mutationFn: (id: string) => dataOf(api.POST('/web/integrations/{id}/secret', { params: { path: { id } } })),
  onSuccess: (_keys, id) => queryClient.invalidateQueries({ queryKey: ['integrations', id, 'log'] }),
  gcTime: 0,
})
