import { ulidToUUID } from 'ulid'
import { type OldRows, oldPage } from '../../db/old-rows.ts'
import { firstUlidAt } from '../../db/ulids.ts'
import { deleteMessages, oldMessageRows } from './old-message-queries.ts'

/** The id below which all messages are older than a Unix second. */
const firstIdAt = (second: number): string =>
  ulidToUUID(firstUlidAt(second).padEnd(26, '0').toUpperCase()).toLowerCase()

/**
 * Old messages of chats, with their reactions. The last message of a conversation stays, because lists show it, and so
 * does a message that is still being sent. Conversations, and files, stay.
 */
export const oldMessages: OldRows<string> = {
  find: async (db, window) => {
    const rows = await oldMessageRows(db, window, firstIdAt(window.before))
    const found = rows.map(({ id, created_at, state, is_last }) => ({
      key: id,
      at: created_at,
      stays: is_last === 1 || state === 'pending',
      position: [id],
    }))
    return oldPage(found, window.limit)
  },
  remove: async (tx, { account_id }, ids) => {
    await deleteMessages(tx, account_id, ids)
    return ids.length
  },
}
