import { mutationOptions, queryOptions } from '@tanstack/react-query'
import { api, type Schemas } from '../api/client.ts'
import { readRows } from '../api/lists.ts'
import { queryClient } from './query-client.ts'

export type Catalog = Schemas['Catalog']
export type NewCatalog = Schemas['CatalogsCreateBody'][number]
export type CatalogPatch = Schemas['CatalogsUpdateBody']

/** The lists that the person can see, in their order. */
export const catalogsOptions = queryOptions({
  queryKey: ['catalogs', 'all'],
  queryFn: () =>
    readRows(api.GET('/web/v4/catalogs', { params: { query: { limit: 250 } } }), ({ catalogs }) => catalogs),
  staleTime: 60_000,
})

export const settleCatalogs = () => queryClient.invalidateQueries({ queryKey: ['catalogs'] })

export const addCatalog = mutationOptions({
  mutationFn: (draft: NewCatalog) => api.POST('/web/v4/catalogs', { body: [draft] }),
  onSuccess: settleCatalogs,
})
export const patchCatalog = mutationOptions({
  mutationFn: ({ id, ...body }: CatalogPatch & { id: number }) =>
    api.PATCH('/web/v4/catalogs/{id}', { params: { path: { id } }, body }),
  onSuccess: settleCatalogs,
})
export const removeCatalog = mutationOptions({
  mutationFn: (id: number) => api.DELETE('/web/v4/catalogs/{id}', { params: { path: { id } } }),
  onSuccess: settleCatalogs,
})
