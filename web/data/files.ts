import { infiniteQueryOptions, mutationOptions, queryOptions } from '@tanstack/react-query'
import { api, dataOf } from '../api/client.ts'
import { pagesOf, readPage } from '../api/lists.ts'
import { queryClient } from './query-client.ts'
import type { Collection } from './records.ts'

export const fileOrders = ['created_at', 'size'] as const

export interface FilesAsked {
  /** A part of the name. */
  term: string
  isInTrash: boolean
  /** The newest or the largest first. */
  order: (typeof fileOrders)[number]
}

/** The files of the account, or those in its trash. */
export const filesOptions = ({ term, isInTrash, order }: FilesAsked) =>
  infiniteQueryOptions({
    queryKey: ['files', term, isInTrash, order],
    ...pagesOf((next) =>
      readPage(
        api.GET('/web/drive/v1.0/files', {
          params: {
            query: next ?? {
              [`order[${order}]`]: 'desc',
              ...(term !== '' && { 'filter[term]': term }),
              ...(isInTrash && { 'filter[deleted]': true }),
            },
          },
        }),
        ({ files }) => files,
      ),
    ),
  })

/** The cards that have a file, newest first. Conversations are not among them. */
export const fileCardsOptions = (uuid: string) =>
  queryOptions({
    queryKey: ['file_cards', uuid],
    queryFn: async () => {
      const params = { path: { file_uuid: uuid } }
      const { entities } = await dataOf(api.GET('/web/v4/files/{file_uuid}/links', { params }))
      return entities.map(({ id, name, entity_type, catalog_id }) => ({
        id,
        name,
        collection: (catalog_id ? `catalogs/${catalog_id}/elements` : entity_type) as Collection,
      }))
    },
  })

/** The space that the files of the account take, and its limit. */
export const fileSpaceOptions = queryOptions({
  queryKey: ['file_space'],
  queryFn: () => dataOf(api.GET('/web/file-space')),
})

const refresh = () =>
  Promise.all(
    ['files', 'file', 'file_space'].map((name) => queryClient.invalidateQueries({ queryKey: [name] })),
  )

export const trashFile = mutationOptions({
  mutationFn: (uuid: string): Promise<unknown> => api.DELETE('/web/drive/v1.0/files', { body: [{ uuid }] }),
  onSuccess: refresh,
})

/** Deletes a file in the trash permanently, which gives its space back. */
export const eraseFile = mutationOptions({
  mutationFn: (uuid: string): Promise<unknown> => api.DELETE('/web/trashed-files', { body: [{ uuid }] }),
  onSuccess: refresh,
})

export const restoreFile = mutationOptions({
  mutationFn: (uuid: string) => api.POST('/web/drive/v1.0/files/restore', { body: [{ uuid }] }),
  onSuccess: refresh,
})
