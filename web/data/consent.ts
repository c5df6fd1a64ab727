import { queryOptions } from '@tanstack/react-query'
import { api, dataOf, type Schemas } from '../api/client.ts'

export type Consent = Schemas['Consent']

/**
 * `search` is passed on unchanged, because the server returns `state` byte for byte. The response contains a one-time
 * form token, so it is never loaded again in the background.
 */
export const consentOptions = (search: string) =>
  queryOptions({
    queryKey: ['consent', search],
    queryFn: () =>
      dataOf(
        api.GET('/web/consent', { params: { query: { client_id: '' } }, querySerializer: () => search }),
      ),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    retry: false,
  })
