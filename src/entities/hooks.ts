import type { Context } from '../context.ts'
import type { Tx } from '../db/database.ts'
import type { EntityRow } from '../db/tables.ts'
import type { RecordDraft } from './draft-schemas.ts'

/** What slices above this one do in the transaction of a change to records; the surface brings them together. */
export interface RecordHooks {
  /** After records were added or changed, with the drafts that they were written from. */
  written: Written
  /** Each hangs what is its own on the record that stays, when others become part of it. */
  merged: readonly Merged[]
}

export type Written = (ctx: Context, tx: Tx, rows: EntityRow[], drafts: RecordDraft[]) => Promise<void>
export type Merged = (tx: Tx, account_id: number, from_ids: number[], to: number) => Promise<void>
