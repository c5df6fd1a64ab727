import type { Actor } from '../accounts/accounts.ts'
import type { Tx } from '../db/database.ts'

/** The use of stages by slices above this one. The surface passes it in. */
export interface StageUse {
  /** Whether a lead is in the stage, or anywhere in the pipeline. Deleted leads are ignored. */
  hasLeads(tx: Tx, account_id: number, pipeline_id: number, status_id: number | null): Promise<boolean>
  hasCustomers(tx: Tx, account_id: number, status_id: number): Promise<boolean>
  /** Moves the sources of a deleted pipeline to the main one. */
  moveSources(tx: Tx, account_id: number, pipeline_id: number, main: number): Promise<void>
  /** Removes the automations of a deleted stage, or of all stages of a deleted pipeline. */
  removeRules(tx: Tx, actor: Actor, pipeline_id: number, status_id: number | null): Promise<void>
}
