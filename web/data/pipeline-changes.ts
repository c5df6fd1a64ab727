import { mutationOptions, queryOptions } from '@tanstack/react-query'
import { api, dataOf, type Schemas } from '../api/client.ts'
import { queryClient } from './query-client.ts'

type NewPipeline = Schemas['LeadsPipelinesCreateBody'][number]
type NewStage = Schemas['LeadsPipelineStatusesCreateBody'][number]
type NewCustomerStage = Schemas['CustomersStatusesCreateBody'][number]
export type Level = NonNullable<NewStage['descriptions']>[number]['level']

const refresh = (key: string) => queryClient.invalidateQueries({ queryKey: [key] })
/** Every change of a pipeline changes the stages on all pages. */
export const settlePipelines = () => refresh('pipelines')

export const addPipeline = mutationOptions({
  mutationFn: async (draft: NewPipeline) => {
    const { _embedded } = await dataOf(api.POST('/web/v4/leads/pipelines', { body: [draft] }))
    return _embedded.pipelines[0]?.id as number
  },
  onSuccess: settlePipelines,
})
export const patchPipeline = mutationOptions({
  mutationFn: ({ id, ...body }: Schemas['LeadsPipelinesUpdateBody'] & { id: number }) =>
    api.PATCH('/web/v4/leads/pipelines/{id}', { params: { path: { id } }, body }),
  onSuccess: settlePipelines,
})
export const removePipeline = mutationOptions({
  mutationFn: (id: number) => api.DELETE('/web/v4/leads/pipelines/{id}', { params: { path: { id } } }),
  onSuccess: settlePipelines,
})

type StagePatch = Schemas['LeadsPipelineStatusesUpdateBody']
interface OfPipeline {
  pipeline_id: number
}
export const addStage = mutationOptions({
  mutationFn: ({ pipeline_id, ...draft }: NewStage & OfPipeline) =>
    api.POST('/web/v4/leads/pipelines/{pipeline_id}/statuses', {
      params: { path: { pipeline_id } },
      body: [draft],
    }),
  onSuccess: settlePipelines,
})
export const patchStage = mutationOptions({
  mutationFn: ({ pipeline_id, id, ...body }: StagePatch & OfPipeline & { id: number }) =>
    api.PATCH('/web/v4/leads/pipelines/{pipeline_id}/statuses/{id}', {
      params: { path: { pipeline_id, id } },
      body,
    }),
  onSuccess: settlePipelines,
})
export const removeStage = mutationOptions({
  mutationFn: ({ pipeline_id, id }: OfPipeline & { id: number }) =>
    api.DELETE('/web/v4/leads/pipelines/{pipeline_id}/statuses/{id}', {
      params: { path: { pipeline_id, id } },
    }),
  onSuccess: settlePipelines,
})

/** A stage with its instructions by experience. */
export const stageOptions = (pipeline_id: number, id: number) =>
  queryOptions({
    queryKey: ['pipelines', 'stage', pipeline_id, id],
    queryFn: () =>
      dataOf(
        api.GET('/web/v4/leads/pipelines/{pipeline_id}/statuses/{id}', {
          params: { path: { pipeline_id, id }, query: { with: ['descriptions'] } },
        }),
      ),
  })

export const settleCustomerStages = () => refresh('customer-stages')
export const addCustomerStage = mutationOptions({
  mutationFn: (draft: NewCustomerStage) => api.POST('/web/v4/customers/statuses', { body: [draft] }),
  onSuccess: settleCustomerStages,
})
export const patchCustomerStage = mutationOptions({
  mutationFn: ({ id, ...body }: Schemas['CustomersStatusesUpdateBody'] & { id: number }) =>
    api.PATCH('/web/v4/customers/statuses/{id}', { params: { path: { id } }, body }),
  onSuccess: settleCustomerStages,
})
export const removeCustomerStage = mutationOptions({
  mutationFn: (id: number) => api.DELETE('/web/v4/customers/statuses/{id}', { params: { path: { id } } }),
  onSuccess: settleCustomerStages,
})
/** Turns customers off or on; with `periodicity`, a purchase moves the date of the next one. */
export const switchCustomers = mutationOptions({
  mutationFn: (mode: 'disabled' | 'segments' | 'periodicity') =>
    api.PATCH('/web/v4/customers/mode', {
      body: mode === 'disabled' ? { mode: 'segments', is_enabled: false } : { mode, is_enabled: true },
    }),
  onSuccess: () => Promise.all([refresh('account'), settleCustomerStages()]),
})
