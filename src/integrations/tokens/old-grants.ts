import { type OldRows, oldPage } from '../../db/old-rows.ts'
import { deleteGrants, oldGrantRows } from './old-grant-queries.ts'

/**
 * Old consents of which no token is kept any more. Tokens are kept for 30 days after they expired (Q14), and no new one can
 * be made without an earlier one.
 */
export const oldGrants: OldRows<string> = {
  find: async (db, window) => {
    const rows = await oldGrantRows(db, window)
    const found = rows.map(({ id, created_at, has_tokens }) => ({
      key: id,
      at: created_at,
      stays: has_tokens === 1,
      position: [created_at, id],
    }))
    return oldPage(found, window.limit)
  },
  remove: async (tx, _window, ids) => {
    await deleteGrants(tx, ids)
    return ids.length
  },
}
