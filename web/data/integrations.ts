import { infiniteQueryOptions, mutationOptions, queryOptions } from '@tanstack/react-query'
import type { Static } from 'typebox'
import type { AuditEntry, AuditPage } from '../../src/accounts/schemas.ts'
import type {
  Integration,
  IntegrationList,
  IntegrationPatch,
  Keys,
  NewIntegration,
  Permission,
  SavedIntegration,
} from '../../src/integrations/schemas.ts'
import { query, request } from '../api/client.ts'
import { queryClient } from './query-client.ts'

export type { AuditEntry, Integration, Keys, NewIntegration, Permission, SavedIntegration }

/** The integrations that were made in this account. */
export const integrationsOptions = queryOptions({
  queryKey: ['integrations'],
  queryFn: async () =>
    (await request<Static<typeof IntegrationList>>('GET', '/web/integrations')).integrations,
})

export const integrationOptions = (id: string) =>
  queryOptions({
    queryKey: ['integrations', id],
    queryFn: () => request<Integration>('GET', `/web/integrations/${id}`),
  })

export const logOptions = (id: string) =>
  infiniteQueryOptions({
    queryKey: ['integrations', id, 'log'],
    queryFn: ({ pageParam }) =>
      request<Static<typeof AuditPage>>('GET', `/web/integrations/${id}/log${query({ before: pageParam })}`),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next ?? undefined,
  })

/** Both lists show names, icons and states, so both are read again. */
const keep = (integration: Integration) => {
  queryClient.setQueryData(integrationOptions(integration.id).queryKey, integration)
  return Promise.all([
    queryClient.invalidateQueries({ queryKey: ['integrations'] }),
    queryClient.invalidateQueries({ queryKey: ['installations'] }),
  ])
}

export const addIntegration = mutationOptions({
  mutationFn: (draft: NewIntegration) => request<SavedIntegration>('POST', '/web/integrations', draft),
  onSuccess: ({ integration }) => keep(integration),
})

export const patchIntegration = mutationOptions({
  mutationFn: ({ id, ...patch }: IntegrationPatch & { id: string }) =>
    request<Integration>('PATCH', `/web/integrations/${id}`, patch),
  onSuccess: keep,
})

export const putIcon = mutationOptions({
  mutationFn: ({ id, file }: { id: string; file: File }) =>
    request<Integration>('PUT', `/web/integrations/${id}/icon`, file),
  onSuccess: keep,
})

export const deleteIcon = mutationOptions({
  mutationFn: (id: string) => request<Integration>('DELETE', `/web/integrations/${id}/icon`),
  onSuccess: keep,
})

export const checkRedirect = mutationOptions({
  mutationFn: (id: string) => request<Integration>('POST', `/web/integrations/${id}/check`),
  onSuccess: keep,
})

export const showKeys = mutationOptions({
  mutationFn: (id: string) => request<Keys>('POST', `/web/integrations/${id}/keys`),
  onSuccess: (_keys, id) => queryClient.invalidateQueries({ queryKey: ['integrations', id, 'log'] }),
  gcTime: 0,
})

export const regenerateSecret = mutationOptions({
  mutationFn: (id: string) => request<Keys>('POST', `/web/integrations/${id}/secret`),
  onSuccess: (_keys, id) => queryClient.invalidateQueries({ queryKey: ['integrations', id, 'log'] }),
  gcTime: 0,
})
