import type { Declarations } from './declaration.ts'
import { declaredCards } from './declared-cards.ts'
import { declaredElements } from './declared-elements.ts'
import { declaredPurchases } from './declared-purchases.ts'
import { declaredSettings } from './declared-settings.ts'
import { declaredTasks } from './declared-tasks.ts'

/** Every route of v4 and whom it serves. A route without a row here, or a row without a route, is a fault. */
export const declaredRights: Declarations = {
  ...declaredSettings,
  ...declaredCards,
  ...declaredTasks,
  ...declaredPurchases,
  ...declaredElements,
}
