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
export const WON = 142
export const LOST = 143

/** The name of a stage, with its pipeline if there are several. */
export function stageName(pipelines: Pipeline[] | undefined, pipeline_id: number, status_id: number) {
  const pipeline = pipelines?.find(({ id }) => id === pipeline_id)
  const stage = pipeline?._embedded.statuses.find(({ id }) => id === status_id)
  return stage && pipeline && { stage: stage.name, pipeline: pipeline.name, isOnly: pipelines?.length === 1 }
}
