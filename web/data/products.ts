import { mutationOptions, queryOptions } from '@tanstack/react-query'
import { api, dataOf } from '../api/client.ts'
import { queryClient } from './query-client.ts'

/** Whether products are enabled, their list, and whether they make the prices of leads. */
export const productsOptions = queryOptions({
  queryKey: ['catalogs', 'products'],
  queryFn: () => dataOf(api.GET('/web/v4/catalogs/products/settings')),
  staleTime: 60_000,
})

export const changeLeadSums = mutationOptions({
  mutationFn: (sums_leads: boolean) =>
    dataOf(api.PATCH('/web/v4/catalogs/products/settings', { body: { sums_leads } })),
  onSuccess: (settings) => queryClient.setQueryData(productsOptions.queryKey, settings),
})
