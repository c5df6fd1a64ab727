import { recordsWithConversations } from '../chats/chats.ts'
import type { RecordUses } from '../entities/entities.ts'
import { removeIncoming } from '../incoming-leads/incoming-leads.ts'
import { removeAudienceMembers, removeVisitorsOf } from '../marketing/marketing.ts'
import { removeSubscriptions } from '../subscriptions/subscriptions.ts'
import { recordsWithOpenTasks, removeTasksOf } from '../tasks/tasks.ts'

/**
 * A record stays in the trash while a conversation or a talk belongs to it, because the next message needs it, and while
 * somebody has to do a task of it. Short links and surveys of a deleted record stay: customers have their addresses.
 */
export const recordUses: RecordUses = {
  used: async (db, account_id, ids) => {
    const [talking, busy] = await Promise.all([
      recordsWithConversations(db, account_id, ids),
      recordsWithOpenTasks(db, account_id, ids),
    ])
    return talking.union(busy)
  },
  remove: async (tx, account_id, type, ids) => {
    await removeTasksOf(tx, account_id, ids)
    await removeSubscriptions(tx, account_id, ids)
    await removeAudienceMembers(tx, account_id, ids)
    await removeVisitorsOf(tx, account_id, type, ids)
    if (type === 'leads') await removeIncoming(tx, account_id, ids)
  },
}
