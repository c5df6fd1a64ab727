import { queryOptions } from '@tanstack/react-query'
import type { Consent, ConsentQuery } from '../../src/integrations/schemas.ts'
import { query, request } from './client.ts'

export type { Consent, ConsentQuery }

/** Carries a one-time form token, so it is never read twice behind the person's back. */
export const consentOptions = (asked: ConsentQuery) =>
  queryOptions({
    queryKey: ['consent', asked],
    queryFn: () => request<Consent>('GET', `/web/consent${query({ ...asked })}`),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    retry: false,
  })
