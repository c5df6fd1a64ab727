import { mutationOptions, queryOptions } from '@tanstack/react-query'
import type { Intent } from '../../src/chats/bot/intent-schemas.ts'
import { request } from '../api/client.ts'
import { readRows } from '../api/lists.ts'
import { queryClient } from './query-client.ts'

export type { Intent }
export type IntentDraft = Pick<Intent, 'name' | 'phrases' | 'answer'>

const v4 = '/web/v4/chats/intents'

export const intentsOptions = queryOptions({
  queryKey: ['intents'],
  queryFn: () => readRows<Intent>(v4, 'intents'),
})

const refresh = () => queryClient.invalidateQueries({ queryKey: ['intents'] })

/** A new one has no id. */
export const saveIntent = mutationOptions({
  mutationFn: ({ id, ...draft }: IntentDraft & { id: number | undefined }) =>
    id === undefined ? request<Intent>('POST', v4, draft) : request<Intent>('PATCH', `${v4}/${id}`, draft),
  onSuccess: refresh,
})

export const removeIntent = mutationOptions({
  mutationFn: (id: number) => request<void>('DELETE', `${v4}/${id}`),
  onSuccess: refresh,
})
