import { mutationOptions, queryOptions } from '@tanstack/react-query'
import type {
  Description,
  NewCustomerStatus,
  NewPipeline,
  NewStatus,
  PipelinePatch,
  StageColor,
  StatusPatch,
} from '../../src/pipelines/schemas.ts'
import { request } from '../api/client.ts'
import type { Stage } from './pipelines.ts'
import { queryClient } from './query-client.ts'

export type { StageColor }
export type Level = Description['level']

const PIPELINES = '/web/v4/leads/pipelines'
const stagesOf = (pipeline_id: number) => `${PIPELINES}/${pipeline_id}/statuses`
const CUSTOMER_STAGES = '/web/v4/customers/statuses'

const refresh = (key: string) => queryClient.invalidateQueries({ queryKey: [key] })
/** Whatever changes a pipeline changes what every page knows of stages. */
export const settlePipelines = () => refresh('pipelines')

export const addPipeline = mutationOptions({
  mutationFn: async (draft: NewPipeline) => {
    const answer = await request<{ _embedded: { pipelines: { id: number }[] } }>('POST', PIPELINES, [draft])
    return answer._embedded.pipelines[0]?.id as number
  },
  onSuccess: settlePipelines,
})
export const patchPipeline = mutationOptions({
  mutationFn: ({ id, ...patch }: PipelinePatch & { id: number }) =>
    request<unknown>('PATCH', `${PIPELINES}/${id}`, patch),
  onSuccess: settlePipelines,
})
export const removePipeline = mutationOptions({
  mutationFn: (id: number) => request<void>('DELETE', `${PIPELINES}/${id}`),
  onSuccess: settlePipelines,
})

interface OfPipeline {
  pipeline_id: number
}
export const addStage = mutationOptions({
  mutationFn: ({ pipeline_id, ...draft }: NewStatus & OfPipeline) =>
    request<unknown>('POST', stagesOf(pipeline_id), [draft]),
  onSuccess: settlePipelines,
})
export const patchStage = mutationOptions({
  mutationFn: ({ pipeline_id, id, ...patch }: StatusPatch & OfPipeline & { id: number }) =>
    request<unknown>('PATCH', `${stagesOf(pipeline_id)}/${id}`, patch),
  onSuccess: settlePipelines,
})
export const removeStage = mutationOptions({
  mutationFn: ({ pipeline_id, id }: OfPipeline & { id: number }) =>
    request<void>('DELETE', `${stagesOf(pipeline_id)}/${id}`),
  onSuccess: settlePipelines,
})

/** A stage with what it means to people of each experience. */
export const stageOptions = (pipeline_id: number, id: number) =>
  queryOptions({
    queryKey: ['pipelines', 'stage', pipeline_id, id],
    queryFn: () => request<Stage>('GET', `${stagesOf(pipeline_id)}/${id}?with=descriptions`),
  })

export const settleCustomerStages = () => refresh('customer-stages')
export const addCustomerStage = mutationOptions({
  mutationFn: (draft: NewCustomerStatus) => request<unknown>('POST', CUSTOMER_STAGES, [draft]),
  onSuccess: settleCustomerStages,
})
export const patchCustomerStage = mutationOptions({
  mutationFn: ({
    id,
    ...patch
  }: Partial<Pick<NewCustomerStatus, 'name' | 'sort' | 'color'>> & { id: number }) =>
    request<unknown>('PATCH', `${CUSTOMER_STAGES}/${id}`, patch),
  onSuccess: settleCustomerStages,
})
export const removeCustomerStage = mutationOptions({
  mutationFn: (id: number) => request<void>('DELETE', `${CUSTOMER_STAGES}/${id}`),
  onSuccess: settleCustomerStages,
})
/** Whether the account works with customers at all. */
export const switchCustomers = mutationOptions({
  mutationFn: (is_enabled: boolean) =>
    request<unknown>('PATCH', '/web/v4/customers/mode', { mode: 'periodicity', is_enabled }),
  onSuccess: () => Promise.all([refresh('account'), settleCustomerStages()]),
})
