import { mutationOptions, queryOptions } from '@tanstack/react-query'
import { api, type Schemas } from '../api/client.ts'
import { readRows } from '../api/lists.ts'
import { refreshBot } from './bots.ts'
import { queryClient } from './query-client.ts'
import type { Saved } from './saved.ts'

export type Intent = Schemas['Intent']
export type IntentDraft = Schemas['ChatsIntentsCreateBody']

export const intentsOptions = queryOptions({
  queryKey: ['intents'],
  queryFn: () => readRows(api.GET('/web/v4/chats/intents'), ({ intents }) => intents),
})

const refresh = () => Promise.all([queryClient.invalidateQueries({ queryKey: ['intents'] }), refreshBot()])

/** A new intent has no id. */
export const saveIntent = mutationOptions({
  mutationFn: ({ id, ...body }: Saved<IntentDraft>): Promise<unknown> =>
    id === undefined
      ? api.POST('/web/v4/chats/intents', { body: body as IntentDraft })
      : api.PATCH('/web/v4/chats/intents/{id}', { params: { path: { id } }, body }),
  onSuccess: refresh,
})

export const removeIntent = mutationOptions({
  mutationFn: (id: number) => api.DELETE('/web/v4/chats/intents/{id}', { params: { path: { id } } }),
  onSuccess: refresh,
})
