import { useQuery } from '@tanstack/react-query'
import { customerStagesOptions, pipelinesOptions, stageAt } from '../data/pipelines.ts'
import { type AnyRecord, type Collection, wordOf } from '../data/records.ts'
import { StageLabel } from '../parts/records/stage-label.tsx'

/** The stage of a lead or of a customer. */
export function RecordStage({ collection, record }: { collection: Collection; record: AnyRecord }) {
  const isCustomer = wordOf(collection) === 'customers'
  const { data: pipelines } = useQuery({ ...pipelinesOptions, enabled: !isCustomer })
  const { data: customerStages = [] } = useQuery({ ...customerStagesOptions, enabled: isCustomer })
  const stage = isCustomer
    ? customerStages.find(({ id }) => id === record.status_id)
    : stageAt(pipelines, record)
  return stage ? <StageLabel name={stage.name} color={stage.color} /> : null
}
