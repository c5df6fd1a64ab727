import type { CustomerStatusRow, LossReasonRow, StatusRow } from '../db/tables.ts'
import { self } from '../http/hal.ts'
import { shownDescriptions } from './descriptions.ts'
import type { PipelineWithStages } from './pipeline-settings.ts'
import type { CustomerStatus, LossReason, Pipeline, Status } from './schemas.ts'

/** Options for rendering. `base` is the address of the surface. */
export interface Shown {
  base: string
  descriptions: boolean
}

/** Values of `with`. */
export const stageParts = ['descriptions'] as const

export function pipelineView(pipeline: PipelineWithStages, shown: Shown): Pipeline {
  const { account_id, id, name, sort, is_main, is_unsorted_on, is_archive, stages } = pipeline
  return {
    id,
    name,
    sort,
    is_main: is_main === 1,
    is_unsorted_on: is_unsorted_on === 1,
    is_archive: is_archive === 1,
    account_id,
    _links: self(`${shown.base}/leads/pipelines/${id}`),
    _embedded: { statuses: stages.map((stage) => stageView(stage, shown)) },
  }
}

export function stageView(stage: StatusRow, { base, descriptions }: Shown): Status {
  const { account_id, pipeline_id, id, name, sort, color, type, is_editable } = stage
  return {
    id,
    name,
    sort,
    is_editable: is_editable === 1,
    pipeline_id,
    color,
    type,
    account_id,
    ...(descriptions && { descriptions: shownDescriptions(stage) }),
    _links: self(`${base}/leads/pipelines/${pipeline_id}/statuses/${id}`),
  }
}

export function lossReasonView(row: LossReasonRow, base: string): LossReason {
  const { id, name, sort, created_at, updated_at } = row
  return { id, name, sort, created_at, updated_at, _links: self(`${base}/leads/loss_reasons/${id}`) }
}

export function customerStatusView(row: CustomerStatusRow, base: string): CustomerStatus {
  const { account_id, id, name, sort, is_default, color, type } = row
  return {
    id,
    name,
    sort,
    is_default: is_default === 1,
    // Conditions for moving customers automatically, which this server does not have.
    conditions: [],
    color,
    type,
    account_id,
    _links: self(`${base}/customers/statuses/${id}`),
  }
}
