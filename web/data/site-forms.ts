import { mutationOptions, queryOptions } from '@tanstack/react-query'
import { api, type Body, dataOf, type Schemas } from '../api/client.ts'
import { queryClient } from './query-client.ts'
import type { Saved } from './saved.ts'

export type SiteForm = Schemas['SiteForm']
type NewSiteForm = Body<'/web/forms', 'post'>
export type SiteFormDraft = Required<Omit<NewSiteForm, 'button'>> & Pick<NewSiteForm, 'button'>

/** The forms of the account for its sites. */
export const siteFormsOptions = queryOptions({
  queryKey: ['site-forms'],
  queryFn: async () => (await dataOf(api.GET('/web/forms'))).forms,
})

const refresh = () => queryClient.invalidateQueries({ queryKey: ['site-forms'] })

/** A new form has no id. */
export const saveSiteForm = mutationOptions({
  mutationFn: ({ id, ...body }: Saved<SiteFormDraft>): Promise<unknown> =>
    id === undefined
      ? api.POST('/web/forms', { body: body as SiteFormDraft })
      : api.PATCH('/web/forms/{id}', { params: { path: { id } }, body }),
  onSuccess: refresh,
})

export const removeSiteForm = mutationOptions({
  mutationFn: (id: number) => api.DELETE('/web/forms/{id}', { params: { path: { id } } }),
  onSuccess: refresh,
})
