/** The kinds of deliveries that the queue sends. */
export const deliveryKinds = ['webhook', 'chat_message', 'automation', 'disable_hook'] as const
export type DeliveryKindName = (typeof deliveryKinds)[number]

/** The names of receivers: `webhook:12`, `channel:<id>`, `automation:3` (a rule), `integration:<id>` (its disable hook). */
export const receiverKinds = {
  webhook: 'webhook',
  channel: 'chat_message',
  automation: 'automation',
  integration: 'disable_hook',
} as const satisfies Record<string, DeliveryKindName>
export type ReceiverKind = keyof typeof receiverKinds

/** The states by which deliveries are listed. */
export const listedStates = ['pending', 'delivered', 'failed'] as const
