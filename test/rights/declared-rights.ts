import type { Declarations } from './declaration.ts'
import { declaredCards } from './declared-cards.ts'
import { declaredChats } from './declared-chats.ts'
import { declaredElements } from './declared-elements.ts'
import { declaredEvents } from './declared-events.ts'
import { declaredFollowing } from './declared-following.ts'
import { declaredIncomingLeads } from './declared-incoming-leads.ts'
import { declaredJobs } from './declared-jobs.ts'
import { declaredNotes, fileLinks } from './declared-notes.ts'
import { declaredPurchases } from './declared-purchases.ts'
import { declaredSettings } from './declared-settings.ts'
import { declaredTasks } from './declared-tasks.ts'

/** Every route of v4 and its required rights. A test fails for a route without a row, or a row without a route. */
export const declaredRights: Declarations = {
  // First, because merges and moves create further events.
  ...declaredEvents,
  ...declaredNotes,
  ...fileLinks,
  ...declaredSettings,
  ...declaredCards,
  ...declaredIncomingLeads,
  ...declaredTasks,
  ...declaredFollowing,
  ...declaredJobs,
  ...declaredPurchases,
  ...declaredElements,
  ...declaredChats,
}
