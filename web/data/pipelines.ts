import { queryOptions } from '@tanstack/react-query'
import { api, type Schemas } from '../api/client.ts'
import { readRows } from '../api/lists.ts'

export type Pipeline = Schemas['Pipeline']
export type Stage = Schemas['Status']

/** All pipelines with their stages in order. The two closing stages have the same ids in each of them. */
export const pipelinesOptions = queryOptions({
  queryKey: ['pipelines'],
  queryFn: () => readRows(api.GET('/web/v4/leads/pipelines'), ({ pipelines }) => pipelines),
  staleTime: 300_000,
})

/** The stages of customers in their order. */
export const customerStagesOptions = queryOptions({
  queryKey: ['customer-stages'],
  queryFn: () => readRows(api.GET('/web/v4/customers/statuses'), ({ statuses }) => statuses),
  staleTime: 300_000,
})

/** Where a lead is. */
export interface StagePlace {
  pipeline_id: number
  status_id: number
}

export const WON = 142
export const LOST = 143
/** The `type` of the stage of incoming leads, to which people cannot move leads. */
export const INCOMING = 1

/** The place of a stage, as leads store it. */
export const placeOf = ({ id, pipeline_id }: Stage): StagePlace => ({ pipeline_id, status_id: id })

export const isAt = ({ pipeline_id, status_id }: Partial<StagePlace>, place: StagePlace): boolean =>
  pipeline_id === place.pipeline_id && status_id === place.status_id

/** The pipeline of a lead; undefined if it does not exist any more. */
export const pipelineAt = (
  pipelines: readonly Pipeline[] | undefined,
  { pipeline_id }: Partial<StagePlace>,
): Pipeline | undefined => pipelines?.find(({ id }) => id === pipeline_id)

/** The stage of a lead; undefined if it does not exist any more. */
export const stageAt = (
  pipelines: readonly Pipeline[] | undefined,
  place: Partial<StagePlace>,
): Stage | undefined =>
  pipelineAt(pipelines, place)?._embedded.statuses.find(({ id }) => id === place.status_id)
