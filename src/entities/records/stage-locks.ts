import type { Tx } from '../../db/database.ts'
import type { EntityRow } from '../../db/tables.ts'
import { Refusal } from '../../errors.ts'
import { holdCustomerStages, holdStages } from '../../pipelines/pipelines.ts'

/** A stage was deleted between the beginning of a write, which found it, and its lock. */
export class StageDeleted extends Refusal {
  constructor() {
    super('conflict', 'The stage has been deleted.')
  }
}

/** Locks the stages of records that come into them, because a stage without records can be deleted concurrently. */
export async function lockStagesOf(tx: Tx, account_id: number, rows: readonly EntityRow[]): Promise<void> {
  const stages = rows.flatMap(({ pipeline_id, status_id }) =>
    pipeline_id !== null && status_id !== null ? [{ pipeline_id, status_id }] : [],
  )
  const customers = rows.flatMap(({ entity_type, status_id }) =>
    entity_type === 'customers' && status_id !== null ? [status_id] : [],
  )
  const areLocked =
    (stages.length === 0 || (await holdStages(tx, account_id, stages))) &&
    (customers.length === 0 || (await holdCustomerStages(tx, account_id, customers)))
  if (!areLocked) throw new StageDeleted()
}
