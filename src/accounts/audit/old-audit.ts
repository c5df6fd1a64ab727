import { type OldRows, oldPage } from '../../db/old-rows.ts'
import { deleteAuditRows, oldAuditRows } from './audit-queries.ts'

/** Old entries of the audit log. They never change. */
export const oldAudit: OldRows<string> = {
  find: async (db, window) => {
    const rows = await oldAuditRows(db, window)
    const found = rows.map(({ id, at }) => ({ key: id, at, stays: false, position: [id] }))
    return oldPage(found, window.limit)
  },
  remove: async (tx, { account_id }, ids) => {
    await deleteAuditRows(tx, account_id, ids)
    return ids.length
  },
}
