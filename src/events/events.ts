import { monotonicFactory } from 'ulid'
import type { Context } from '../context.ts'
import type { Tx } from '../db/database.ts'
import type { EventRow } from '../db/tables.ts'
import { type EventDraft, eventTypes } from './event-types.ts'
import { insertEvents } from './queries.ts'

/** Who caused a change: an Actor is one; `user_id` 0 is nobody in particular (a visitor, the reply bot). */
export interface Cause {
  account_id: number
  user_id: number
  request_id: string
}

const nextUlid = monotonicFactory()

/**
 * Writes what happened, in the transaction of the change and in the order given (E1). Ids are ULIDs by the context's
 * clock, so the primary key is the order of time. Whoever calls has found that something did change.
 */
export async function recordEvents(ctx: Context, tx: Tx, by: Cause, drafts: EventDraft[]): Promise<void> {
  if (drafts.length === 0) return
  const at = ctx.clock()
  const created_at = Math.floor(at / 1000)
  const rows = drafts.map(
    (draft): EventRow => ({
      account_id: by.account_id,
      id: nextUlid(at).toLowerCase(),
      type: eventTypes[draft.type].number,
      entity_type: draft.entity_type,
      entity_id: draft.entity_id,
      created_by: by.user_id,
      created_at,
      value_after: JSON.stringify(draft.after ?? []),
      value_before: JSON.stringify(draft.before ?? []),
      field_id: draft.field?.id ?? null,
      field_name: draft.field?.name ?? null,
      talk_contact_id: draft.talk_contact_id ?? null,
      request_id: by.request_id,
    }),
  )
  await insertEvents(tx, rows)
}
