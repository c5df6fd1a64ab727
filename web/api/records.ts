import { queryOptions } from '@tanstack/react-query'
import { request } from './client.ts'

/** What the pages read of a contact. */
export interface Contact {
  id: number
  name: string
  responsible_user_id: number
  custom_fields_values: { field_code: string | null; values: { value: unknown }[] }[] | null
}

interface Stage {
  id: number
  name: string
}
interface Pipeline {
  id: number
  name: string
  _embedded: { statuses: Stage[] }
}

export const contactOptions = (id: number) =>
  queryOptions({
    queryKey: ['contacts', id],
    queryFn: () => request<Contact>('GET', `/web/v4/contacts/${id}`),
  })

/** The values of a contact's telephones or addresses. */
export const valuesOf = (contact: Contact, code: 'PHONE' | 'EMAIL'): string[] =>
  (contact.custom_fields_values ?? [])
    .filter(({ field_code }) => field_code === code)
    .flatMap(({ values }) => values.map(({ value }) => String(value)))

export const pipelinesOptions = queryOptions({
  queryKey: ['pipelines'],
  queryFn: async () =>
    (await request<{ _embedded: { pipelines: Pipeline[] } }>('GET', '/web/v4/leads/pipelines'))._embedded
      .pipelines,
  staleTime: 300_000,
})

/** What a stage is called, with its pipeline where there are several. */
export function stageName(pipelines: Pipeline[] | undefined, pipeline_id: number, status_id: number) {
  const pipeline = pipelines?.find(({ id }) => id === pipeline_id)
  const stage = pipeline?._embedded.statuses.find(({ id }) => id === status_id)
  return stage && pipeline && { stage: stage.name, pipeline: pipeline.name, isOnly: pipelines?.length === 1 }
}
