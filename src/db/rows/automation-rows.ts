import type { Flag, Json } from './column-types.ts'

/** An action of a stage: what happens to a lead that enters it. */
export interface AutomationRuleRow {
  account_id: number
  id: number
  pipeline_id: number
  status_id: number
  /** `entered`, `moved` or `created`: how a lead has to arrive in the stage. */
  entry: string
  /** Seconds between the arrival and the action, in which the lead has to stay in the stage. */
  delay: number
  /** The action with its settings; see automation/action-schemas.ts. */
  action: Json
  is_enabled: Flag
  created_by: number
  updated_by: number
  created_at: number
  updated_at: number
}

/** A rule that has been caused to act on a lead, once. */
export interface AutomationRunRow {
  account_id: number
  id: number
  rule_id: number
  /** The type of the action. */
  action: string
  lead_id: number
  /** The stage that the lead entered. */
  pipeline_id: number
  status_id: number
  /** Its previous stage; null if the lead was created. */
  old_pipeline_id: number | null
  old_status_id: number | null
  /** The ids of the rules that led to this entry, the first one first. */
  chain: Json
  /** Whether it is skipped once the lead has left the stage. */
  stays: Flag
  /** `waiting`, `sending`, `done`, `skipped` or `failed`. */
  state: string
  /** Why it was skipped or failed. */
  reason: string | null
  /** The ids of what the action made. */
  result: Json
  /** When it was to act, which orders the runs of a lead. */
  planned_at: number
  /** When a runner should look at it: its time, or the end of a lease. Null if there is nothing to do. */
  due_at: number | null
  /** The id of the lease. */
  lease: string | null
  /** Unexpected errors so far. */
  failures: number
  /** The request that moved or created the lead. */
  request_id: string
  created_at: number
  ended_at: number | null
  /** See DeliveryRow. */
  trace_context: string | null
}
