import type { Declarations } from './declaration.ts'
import { declaredCards } from './declared-cards.ts'
import { declaredChats } from './declared-chats.ts'
import { declaredElements } from './declared-elements.ts'
import { declaredEvents } from './declared-events.ts'
import { declaredJobs } from './declared-jobs.ts'
import { declaredNotes } from './declared-notes.ts'
import { declaredPurchases } from './declared-purchases.ts'
import { declaredSettings } from './declared-settings.ts'
import { declaredTasks } from './declared-tasks.ts'

/** Every route of v4 and whom it serves. A route without a row here, or a row without a route, is a fault. */
export const declaredRights: Declarations = {
  // First: what merges and moves leave behind tells of what was merged and moved.
  ...declaredEvents,
  ...declaredNotes,
  ...declaredSettings,
  ...declaredCards,
  ...declaredTasks,
  ...declaredJobs,
  ...declaredPurchases,
  ...declaredElements,
  ...declaredChats,
}
