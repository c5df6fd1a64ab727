import type { Tx } from '../db/database.ts'

/** What stands in stages, or leads into them, is of slices above this one: the surface brings it. */
export interface StageUse {
  /** Whether a lead that is not in the trash stands in the stage, or anywhere in the pipeline. */
  hasLeads(tx: Tx, account_id: number, pipeline_id: number, status_id: number | null): Promise<boolean>
  hasCustomers(tx: Tx, account_id: number, status_id: number): Promise<boolean>
  /** What would come into a pipeline that is deleted comes into the main one. */
  moveSources(tx: Tx, account_id: number, pipeline_id: number, main: number): Promise<void>
}
