import { infiniteQueryOptions, mutationOptions, queryOptions } from '@tanstack/react-query'
import { api, type Schemas } from '../api/client.ts'
import { pagesOf, readPage, readRows } from '../api/lists.ts'
import { upload } from './drive.ts'
import { queryClient } from './query-client.ts'
import type { Saved } from './saved.ts'

export type ChatTemplate = Schemas['ChatTemplate']

const key = ['templates']

/** All templates of the account with the state of their reviews. */
export const templatesOptions = infiniteQueryOptions({
  queryKey: [...key, 'all'],
  ...pagesOf((next) =>
    readPage(
      api.GET('/web/v4/chats/templates', { params: { query: next ?? { with: ['reviews'] } } }),
      ({ chat_templates }) => chat_templates,
    ),
  ),
})

/** The first templates whose name contains a text. */
export const foundTemplatesOptions = (query: string) =>
  queryOptions({
    queryKey: [...key, 'found', query],
    queryFn: () =>
      readRows(
        api.GET('/web/v4/chats/templates', { params: { query: { query: query || undefined, limit: 50 } } }),
        ({ chat_templates }) => chat_templates,
      ),
  })

export interface TemplateDraft {
  name: string
  content: string
  /** A new file, the stored one, or none. */
  file: File | ChatTemplate['attachment']
}

const refresh = () => queryClient.invalidateQueries({ queryKey: key })

export const saveTemplate = mutationOptions({
  mutationFn: async ({ id, file, ...draft }: Saved<TemplateDraft>): Promise<unknown> => {
    const attachment = file instanceof File ? { id: await upload(file, () => {}) } : file
    const body = { ...draft, ...(attachment !== undefined && { attachment }) }
    return id === undefined
      ? api.POST('/web/v4/chats/templates', { body: [body as Schemas['NewChatTemplate']] })
      : api.PATCH('/web/v4/chats/templates/{id}', { params: { path: { id } }, body })
  },
  onSuccess: refresh,
})

export const removeTemplate = mutationOptions({
  mutationFn: (id: number) => api.DELETE('/web/v4/chats/templates/{id}', { params: { path: { id } } }),
  onSuccess: refresh,
})

export const sendForReview = mutationOptions({
  mutationFn: (id: number) =>
    api.POST('/web/v4/chats/templates/{id}/review', { params: { path: { id } }, body: {} }),
  onSuccess: refresh,
})
