import { mutationOptions, queryOptions } from '@tanstack/react-query'
import { request } from '../api/client.ts'
import { readRows } from '../api/lists.ts'
import { queryClient } from './query-client.ts'
import type { CardKind } from './records.ts'

export interface Audience {
  id: number
  name: string
  service: string
  created_by: number
  created_at: number
}
export type AudienceDraft = Pick<Audience, 'name' | 'service'>

const v4 = '/web/v4'

/** An account has 250 at most: one page. */
export const audiencesOptions = queryOptions({
  queryKey: ['audiences'],
  queryFn: () => readRows<Audience>(`${v4}/audiences?limit=250`, 'audiences'),
})

const refresh = () => queryClient.invalidateQueries({ queryKey: ['audiences'] })

/** A new one has no id. */
export const saveAudience = mutationOptions({
  mutationFn: ({ id, ...draft }: AudienceDraft & { id: number | undefined }) =>
    id === undefined
      ? request<unknown>('POST', `${v4}/audiences`, [draft])
      : request<unknown>('PATCH', `${v4}/audiences/${id}`, draft),
  onSuccess: refresh,
})

export const removeAudience = mutationOptions({
  mutationFn: (id: number) => request<void>('DELETE', `${v4}/audiences/${id}`),
  onSuccess: refresh,
})

/** The address at which whoever has it rates once. */
export const makeSurvey = mutationOptions({
  mutationFn: async ({ collection, id }: { collection: CardKind; id: number }) =>
    (await request<{ url: string }>('POST', `${v4}/${collection}/${id}/surveys`)).url,
})

/** A short address of one contact: that it was followed is told on his card. */
export const makeShortLink = mutationOptions({
  mutationFn: async ({ url, contact_id }: { url: string; contact_id: number }) => {
    const draft = { url, metadata: { entity_type: 'contacts', entity_id: contact_id } }
    const made = await request<{ _embedded: { short_links: { url: string }[] } }>(
      'POST',
      `${v4}/short_links`,
      [draft],
    )
    return made._embedded.short_links[0]?.url ?? ''
  },
})
