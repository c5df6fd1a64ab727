import type { Json } from './column-types.ts'

/** Long work over many records, and how far it has come. */
export interface JobRow {
  account_id: number
  id: number
  kind: string
  entity_type: string
  /** The list of elements. */
  catalog_id: number | null
  state: string
  /** What is to be done; by kind. */
  settings: Json
  /** How many rows there are, and up to which they are done. */
  total: number
  position: number
  added: number
  changed: number
  skipped: number
  failed: number
  /** Of what was added and changed: rows in which a value looks wrong. */
  warned: number
  /** Of what was added and changed: what was taken back, and what could not be. */
  undone: number
  kept: number
  /** Why it ended before its end. */
  error: string | null
  created_by: number
  /** Who started it, or had it undone: his rights decide. */
  run_by: number
  created_at: number
  updated_at: number
  started_at: number | null
  finished_at: number | null
  /** When somebody should look at it: the end of the lease of who works at it. Null: there is nothing to do. */
  due_at: number | null
  /** The name of the lease. */
  lease: string | null
}

/** One row of a job: what is to be changed, or what became of it. */
export interface JobRecordRow {
  account_id: number
  job_id: number
  position: number
  entity_id: number | null
  /** Null until it is done. */
  outcome: string | null
  /** What a refusal or an undoing has to know of it. */
  data: Json | null
  /** It was written, and a value of it looks wrong. */
  has_warning: number
}
