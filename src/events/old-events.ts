import { type OldRows, oldPage } from '../db/old-rows.ts'
import { type EventDraft, eventTypeOf } from './event-types.ts'
import { changesOfEvents, deleteEventKeys, deleteEvents, oldEventIds } from './old-event-queries.ts'
import { keysOf } from './value-keys.ts'

/** Old events of the log, with the keys of their values. Events never change. */
export const oldEvents: OldRows<string> = {
  find: async (db, window) => {
    const rows = await oldEventIds(db, window)
    const found = rows.map(({ id, created_at }) => ({
      key: id,
      at: created_at,
      stays: false,
      position: [id],
    }))
    return oldPage(found, window.limit)
  },
  remove: async (tx, { account_id }, ids) => {
    const events = await changesOfEvents(tx, account_id, ids)
    const keys = events.flatMap(({ id, type, value_after, value_before }) => {
      const name = eventTypeOf(type)
      if (name === undefined) return []
      const change = { type: name, after: JSON.parse(value_after), before: JSON.parse(value_before) }
      return keysOf(change as EventDraft).map((key) => ({ account_id, key, event_id: id }))
    })
    await deleteEventKeys(tx, keys)
    await deleteEvents(
      tx,
      account_id,
      events.map(({ id }) => id),
    )
    return events.length
  },
}
