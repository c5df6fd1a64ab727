import { queryOptions } from '@tanstack/react-query'
import type { Static } from 'typebox'
import type { Pipeline as PipelineSchema } from '../../src/pipelines/schemas.ts'
import { readRows } from '../api/lists.ts'

export type Pipeline = Static<typeof PipelineSchema>
export type Stage = Pipeline['_embedded']['statuses'][number]

/** Every pipeline with its stages, in their order. The two stages in which a lead is closed have these ids everywhere. */
export const pipelinesOptions = queryOptions({
  queryKey: ['pipelines'],
  queryFn: () => readRows<Pipeline>('/web/v4/leads/pipelines', 'pipelines'),
  staleTime: 300_000,
})
export const WON = 142
export const LOST = 143

/** What a stage is called, with its pipeline where there are several. */
export function stageName(pipelines: Pipeline[] | undefined, pipeline_id: number, status_id: number) {
  const pipeline = pipelines?.find(({ id }) => id === pipeline_id)
  const stage = pipeline?._embedded.statuses.find(({ id }) => id === status_id)
  return stage && pipeline && { stage: stage.name, pipeline: pipeline.name, isOnly: pipelines?.length === 1 }
}
