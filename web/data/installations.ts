import { mutationOptions, queryOptions } from '@tanstack/react-query'
import type { Static } from 'typebox'
import type {
  Code,
  Grant,
  Installation,
  InstallationList,
  LongLivedToken,
  NewLongLivedToken,
} from '../../src/integrations/schemas.ts'
import { request } from '../api/client.ts'
import { queryClient } from './query-client.ts'

export type { Code, Grant, Installation }
export type LongLived = Static<typeof LongLivedToken>

export const installationsOptions = queryOptions({
  queryKey: ['installations'],
  queryFn: async () =>
    (await request<Static<typeof InstallationList>>('GET', '/web/installations')).installations,
})

const refresh = () =>
  Promise.all([
    queryClient.invalidateQueries({ queryKey: ['installations'] }),
    queryClient.invalidateQueries({ queryKey: ['integrations'] }),
  ])

/** Installs an integration of this account, or switches a disabled one on again. */
export const install = mutationOptions({
  mutationFn: (client_id: string) => request<Code>('POST', '/web/installations', { client_id }),
  onSuccess: refresh,
})

export const freshCode = mutationOptions({
  mutationFn: (client_id: string) => request<Code>('POST', `/web/installations/${client_id}/code`),
  gcTime: 0,
})

export const disable = mutationOptions({
  mutationFn: (client_id: string) => request<void>('POST', `/web/installations/${client_id}/disable`),
  onSuccess: refresh,
})

export const issueLongLived = mutationOptions({
  mutationFn: ({ client_id, ...draft }: Static<typeof NewLongLivedToken> & { client_id: string }) =>
    request<LongLived>('POST', `/web/installations/${client_id}/long-lived-tokens`, draft),
  onSuccess: refresh,
  gcTime: 0,
})

export const revokeGrant = mutationOptions({
  mutationFn: ({ client_id, grant_id }: { client_id: string; grant_id: string }) =>
    request<void>('DELETE', `/web/installations/${client_id}/grants/${grant_id}`),
  onSuccess: refresh,
})
