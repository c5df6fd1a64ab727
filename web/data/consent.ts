import { queryOptions } from '@tanstack/react-query'
import type { Consent } from '../../src/integrations/schemas.ts'
import { request } from '../api/client.ts'

export type { Consent }

/**
 * `search` goes on as it stands in the address, because the server echoes `state` byte for byte. The answer carries a
 * one-time form token, so it is never read again behind the person's back.
 */
export const consentOptions = (search: string) =>
  queryOptions({
    queryKey: ['consent', search],
    queryFn: () => request<Consent>('GET', `/web/consent${search}`),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    retry: false,
  })
