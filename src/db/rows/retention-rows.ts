import type { Json } from './column-types.ts'

/** For how long an account keeps rows of a kind, if it differs from the default. */
export interface RetentionSettingRow {
  account_id: number
  /** A kind of `retention/kinds.ts`. */
  kind: string
  /** Null: for ever. */
  days: number | null
}

/** The current or last deletion of an account's old rows. */
export interface RetentionRunRow {
  account_id: number
  /** When it begins, or when its lease ends. */
  due_at: number
  /** The process that works on it; null if none does. */
  lease: string | null
  /** The kind whose rows are deleted, and the JSON of the position in them; null before the first window. */
  kind: string | null
  position: Json | null
  /** By kind: how many rows it has deleted, and how many had to stay. */
  deleted: Json
  kept: Json
  started_at: number | null
  ended_at: number | null
}
