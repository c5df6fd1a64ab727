import { automationDeliveries } from './automation/automation.ts'
import { actionDeliveries, chatDeliveries } from './chats/chats.ts'
import type { Context } from './context.ts'
import { disableHookDeliveries } from './integrations/integrations.ts'
import type { DeliveryKind } from './outbound/deliveries.ts'
import { LISTENER, listenerDeliveries, webhookDeliveries } from './webhooks/webhooks.ts'

/** The owners of deliveries, by kind: how each is prepared, and what becomes of its outcome. */
export const deliveryKinds = (ctx: Context): Record<string, DeliveryKind> => ({
  chat_message: chatDeliveries(ctx),
  chat_action: actionDeliveries(ctx),
  webhook: webhookDeliveries(ctx),
  automation: automationDeliveries(ctx),
  disable_hook: disableHookDeliveries,
  [LISTENER]: listenerDeliveries(ctx),
})
