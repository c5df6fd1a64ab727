import { mutationOptions, queryOptions } from '@tanstack/react-query'
import { api, dataOf, type Schemas } from '../api/client.ts'
import { readRows } from '../api/lists.ts'
import { queryClient } from './query-client.ts'
import type { CardKind } from './records.ts'
import type { Saved } from './saved.ts'

export type Audience = Schemas['Audience']
export type AudienceDraft = Schemas['AudiencesCreateBody'][number]

/** An account has at most 250 audiences, which is one page. */
export const audiencesOptions = queryOptions({
  queryKey: ['audiences'],
  queryFn: () =>
    readRows(
      api.GET('/web/v4/audiences', { params: { query: { limit: 250 } } }),
      ({ audiences }) => audiences,
    ),
})

const refresh = () => queryClient.invalidateQueries({ queryKey: ['audiences'] })

/** A new audience has no id. */
export const saveAudience = mutationOptions({
  mutationFn: ({ id, ...body }: Saved<AudienceDraft>): Promise<unknown> =>
    id === undefined
      ? api.POST('/web/v4/audiences', { body: [body as AudienceDraft] })
      : api.PATCH('/web/v4/audiences/{id}', { params: { path: { id } }, body }),
  onSuccess: refresh,
})

export const removeAudience = mutationOptions({
  mutationFn: (id: number) => api.DELETE('/web/v4/audiences/{id}', { params: { path: { id } } }),
  onSuccess: refresh,
})

/** The address of a survey. Everybody who has it can rate once. */
export const makeSurvey = mutationOptions({
  mutationFn: async ({ collection, id }: { collection: CardKind; id: number }) =>
    (await dataOf(api.POST(`/web/v4/${collection}/{id}/surveys`, { params: { path: { id } } }))).url,
})

/** A short link for one contact, whose card shows each visit. */
export const makeShortLink = mutationOptions({
  mutationFn: async ({ url, contact_id }: { url: string; contact_id: number }) => {
    const draft = { url, metadata: { entity_type: 'contacts' as const, entity_id: contact_id } }
    const { _embedded } = await dataOf(api.POST('/web/v4/short_links', { body: [draft] }))
    return _embedded.short_links[0]?.url ?? ''
  },
})
