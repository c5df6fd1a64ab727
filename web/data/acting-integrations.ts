import { queryOptions } from '@tanstack/react-query'
import { api } from '../api/client.ts'
import { readRows } from '../api/lists.ts'

/** The integrations that can have acted in the account, by name. Everybody can see them. */
export const actingIntegrationsOptions = queryOptions({
  queryKey: ['acting-integrations'],
  queryFn: () => readRows(api.GET('/web/v4/events/integrations'), ({ integrations }) => integrations),
  staleTime: 60_000,
})
