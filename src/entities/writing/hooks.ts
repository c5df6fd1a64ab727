import type { Actor } from '../../accounts/accounts.ts'
import type { Context } from '../../context.ts'
import type { Tx } from '../../db/database.ts'
import type { EntityRow } from '../../db/tables.ts'
import type { RecordDraft } from '../records/draft-schemas.ts'
import type { LeadSources } from '../records/lead-sources.ts'
import type { ComplexDraft } from './complex.ts'

/** Work of higher slices in the transaction of a record change; the surface passes it in. */
export interface RecordHooks {
  /** Called after records were added or changed, with their drafts. */
  written: Written
  /** Each moves the data of its slice to the surviving record of a merge. */
  merged: readonly Merged[]
  /** Called after leads of `leads/complex` were added to the incoming stage. */
  arrived: Arrived
  sources: LeadSources
}

/** An incoming lead that was added with its contact and company. */
export interface Arrival {
  lead: EntityRow
  draft: ComplexDraft
  /** The place of the draft in the request. */
  place: number
}

export type Written = (ctx: Context, tx: Tx, rows: EntityRow[], drafts: RecordDraft[]) => Promise<void>
export type Arrived = (ctx: Context, tx: Tx, actor: Actor, arrivals: readonly Arrival[]) => Promise<void>
export type Merged = (
  tx: Tx,
  account_id: number,
  from_ids: number[],
  to: number,
  actor: Actor,
) => Promise<void>
