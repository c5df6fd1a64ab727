import { actingIntegration } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import type { Tx } from '../db/database.ts'
import type { EventKeyRow, EventRow } from '../db/tables.ts'
import { newTimedUlid } from '../db/ulids.ts'
import { forEachFairly, inParts } from '../fair-turns.ts'
import { type EventDraft, eventTypes } from './event-types.ts'
import { insertEvents } from './queries.ts'
import { keysOf } from './value-keys.ts'

export { type CardKinds, readCard, showEvents } from './card-reading.ts'
export { type CausedEvents, eventsCausedIn } from './caused-queries.ts'
export { newestBefore } from './list-queries.ts'
export { throughOutages, watchForCommits } from './live.ts'
export { oldEvents } from './old-events.ts'
export { selectCaused } from './queries.ts'
export { readerOf } from './reading.ts'
export { createStreams, recentMs } from './streams.ts'
export type { Limit, Subjects, Visibility } from './subjects.ts'

/** The person or program that caused a change. An Actor is a Cause. `user_id` 0 is a visitor or the reply bot. */
export interface Cause {
  account_id: number
  user_id: number
  request_id: string
  /** The integration that acts with the rights of the person; rules and the server have none. */
  integration?: { number: number | null } | null
}

/** Events per statement. */
const EVENTS_AT_ONCE = 2_000

/**
 * Records events in the transaction of the change, in the given order (E1). Ids are ULIDs from the context's clock, so
 * the primary key is in the order of time, and a range of time is a range of ids. The caller has checked that something
 * changed.
 */
export async function recordEvents(
  ctx: Context,
  tx: Tx,
  by: Cause,
  drafts: Iterable<EventDraft>,
): Promise<void> {
  for (const part of inParts(drafts, EVENTS_AT_ONCE)) {
    const rows: EventRow[] = []
    const keys: EventKeyRow[] = []
    await forEachFairly(part, (draft) => {
      const row = rowOf(ctx, by, draft)
      rows.push(row)
      for (const key of keysOf(draft)) keys.push({ account_id: by.account_id, key, event_id: row.id })
    })
    await insertEvents(tx, rows, keys)
  }
}

function rowOf(ctx: Context, by: Cause, draft: EventDraft): EventRow {
  const { id, at } = newTimedUlid(ctx)
  return {
    account_id: by.account_id,
    id,
    type: eventTypes[draft.type].number,
    entity_type: draft.entity_type,
    entity_id: draft.entity_id,
    created_by: by.user_id,
    created_by_integration: actingIntegration(by),
    created_at: Math.floor(at / 1000),
    value_after: JSON.stringify(draft.after ?? []),
    value_before: JSON.stringify(draft.before ?? []),
    field_id: draft.field?.id ?? null,
    field_name: draft.field?.name ?? null,
    talk_contact_id: draft.talk_contact_id ?? null,
    card_id: draft.card_id ?? draft.talk_contact_id ?? null,
    request_id: by.request_id,
  }
}
