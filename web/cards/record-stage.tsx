import { useQuery } from '@tanstack/react-query'
import { pipelinesOptions } from '../data/pipelines.ts'
import type { AnyRecord } from '../data/records.ts'
import { StageLabel } from '../parts/stage-label.tsx'

/** The stage of a lead. */
export function RecordStage({ lead }: { lead: AnyRecord }) {
  const { data: pipelines = [] } = useQuery(pipelinesOptions)
  const pipeline = pipelines.find(({ id }) => id === lead.pipeline_id)
  const stage = pipeline?._embedded.statuses.find(({ id }) => id === lead.status_id)
  return stage ? <StageLabel name={stage.name} color={stage.color} /> : null
}
