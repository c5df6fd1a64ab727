import { readInBackground } from '../db/background-reads.ts'
import type { Db, Tx } from '../db/database.ts'
import { isOneOf } from '../db/dialect.ts'
import type { OldWindow } from '../db/old-rows.ts'
import { deleteRows } from '../db/row-sets.ts'
import type { EventKeyRow, EventRow } from '../db/tables.ts'
import { firstUlidAt } from '../db/ulids.ts'

/** The ids of the oldest events. A range of the primary key, because ids begin with their time. */
export function oldEventIds(
  db: Db,
  { account_id, before, after, limit }: OldWindow,
): Promise<Pick<EventRow, 'id' | 'created_at'>[]> {
  return readInBackground(
    db,
    account_id,
    db
      .selectFrom('events')
      .select(['id', 'created_at'])
      .where('account_id', '=', account_id)
      .where('id', '<', firstUlidAt(before))
      .where('id', '>', String(after?.[0] ?? ''))
      .orderBy('id')
      .limit(limit),
  )
}

/** The parts of the keys of events. */
export function changesOfEvents(
  db: Db,
  account_id: number,
  ids: readonly string[],
): Promise<Pick<EventRow, 'id' | 'type' | 'value_after' | 'value_before'>[]> {
  return db
    .selectFrom('events')
    .select(['id', 'type', 'value_after', 'value_before'])
    .where('account_id', '=', account_id)
    .where((eb) => isOneOf(db, eb.ref('id'), ids))
    .execute()
}

export const deleteEventKeys = (tx: Tx, keys: EventKeyRow[]): Promise<void> =>
  deleteRows(tx, 'event_keys', keys)

export const deleteEvents = (tx: Tx, account_id: number, ids: readonly string[]): Promise<void> =>
  deleteRows(
    tx,
    'events',
    ids.map((id) => ({ account_id, id })),
  )
