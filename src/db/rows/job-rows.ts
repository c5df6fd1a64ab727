import type { Json } from './column-types.ts'

/** A long-running job over many records, and its progress. */
export interface JobRow {
  account_id: number
  id: number
  kind: string
  entity_type: string
  /** The list, if the records are elements. */
  catalog_id: number | null
  state: string
  /** The settings of the work, specific to the kind. */
  settings: Json
  /** The number of rows, and how many are done. */
  total: number
  position: number
  added: number
  changed: number
  skipped: number
  failed: number
  /** Of the added and changed rows: those with a suspicious value. */
  warned: number
  /** Of the added and changed rows: those that were undone, and those that could not be. */
  undone: number
  kept: number
  /** Why the job stopped early. */
  error: string | null
  created_by: number
  /** The number of the integration that started it, with the rights of this person. */
  created_by_integration: number | null
  /** The person who started or undid it, whose rights apply. */
  run_by: number
  /** The number of the integration that did so. */
  run_by_integration: number | null
  created_at: number
  updated_at: number
  started_at: number | null
  finished_at: number | null
  /** When a runner should check the job: the end of the current lease. Null if there is nothing to do. */
  due_at: number | null
  /** The id of the lease. */
  lease: string | null
  /** The requests that started and undid it; null: there was none, or an earlier version did not keep it. */
  request_id: string | null
  undo_request_id: string | null
  /** Of the last of them; see DeliveryRow. */
  trace_context: string | null
}

/** One row of a job: the planned change, or its outcome. */
export interface JobRecordRow {
  account_id: number
  job_id: number
  position: number
  entity_id: number | null
  /** Null until it is done. */
  outcome: string | null
  /** Data for showing a rejection or undoing the change. */
  data: Json | null
  /** The row was written with a suspicious value. */
  has_warning: number
}
