import { mutationOptions, queryOptions } from '@tanstack/react-query'
import type { Catalog as CatalogOf, CatalogPatch, NewCatalog } from '../../src/catalogs/schemas.ts'
import { query, request } from '../api/client.ts'
import { readRows } from '../api/lists.ts'
import { queryClient } from './query-client.ts'

export type Catalog = CatalogOf
export type { CatalogPatch, NewCatalog }

const CATALOGS = '/web/v4/catalogs'

/** The lists that the person may see, in their order. */
export const catalogsOptions = queryOptions({
  queryKey: ['catalogs', 'all'],
  queryFn: () => readRows<CatalogOf>(`${CATALOGS}${query({ limit: 250 })}`, 'catalogs'),
  staleTime: 60_000,
})

export const settleCatalogs = () => queryClient.invalidateQueries({ queryKey: ['catalogs'] })

export const addCatalog = mutationOptions({
  mutationFn: (draft: NewCatalog) => request<unknown>('POST', CATALOGS, [draft]),
  onSuccess: settleCatalogs,
})
export const patchCatalog = mutationOptions({
  mutationFn: ({ id, ...patch }: CatalogPatch & { id: number }) =>
    request<unknown>('PATCH', `${CATALOGS}/${id}`, patch),
  onSuccess: settleCatalogs,
})
export const removeCatalog = mutationOptions({
  mutationFn: (id: number) => request<void>('DELETE', `${CATALOGS}/${id}`),
  onSuccess: settleCatalogs,
})
