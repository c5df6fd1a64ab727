import type { Db } from '../db/database.ts'
import { findCustomerStatuses } from './customer-status-queries.ts'
import { listPipelineRows, listStatusRows } from './pipeline-queries.ts'

/** The names of an account's pipelines and stages. */
export interface StageTitles {
  pipeline(pipeline_id: number | null): string
  /** The name of a lead's stage, or of a customer's stage if there is no pipeline. */
  stage(pipeline_id: number | null, status_id: number | null): string
}

/** Three small queries. */
export async function findStageTitles(db: Db, account_id: number): Promise<StageTitles> {
  const [pipelines, statuses, customers] = await Promise.all([
    listPipelineRows(db, account_id),
    listStatusRows(db, account_id),
    findCustomerStatuses(db, { account_id }),
  ])
  const ofPipelines = new Map(pipelines.map(({ id, name }) => [id, name]))
  const ofStages = new Map<string, string>([
    ...statuses.map(({ pipeline_id, id, name }) => [`${pipeline_id} ${id}`, name] as const),
    ...customers.map(({ id, name }) => [`null ${id}`, name] as const),
  ])
  return {
    pipeline: (pipeline_id) => ofPipelines.get(pipeline_id ?? 0) ?? '',
    stage: (pipeline_id, status_id) => ofStages.get(`${pipeline_id} ${status_id}`) ?? '',
  }
}
