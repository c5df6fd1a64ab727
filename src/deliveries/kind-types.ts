/** The kinds of deliveries that the queue sends. */
export const deliveryKinds = ['webhook', 'chat_message', 'chat_action', 'automation', 'disable_hook'] as const
export type DeliveryKindName = (typeof deliveryKinds)[number]

/** The names of receivers: `webhook:12`, `channel:<id>`, `automation:3` (a rule), `integration:<id>` (its disable hook). */
export const receiverKinds = {
  webhook: ['webhook'],
  channel: ['chat_message', 'chat_action'],
  automation: ['automation'],
  integration: ['disable_hook'],
} as const satisfies Record<string, readonly DeliveryKindName[]>
export type ReceiverKind = keyof typeof receiverKinds

/** The kinds that a chat channel receives, in the order of the chat. */
export const isOfChat = (kind: string): boolean => receiverKinds.channel.some((one) => one === kind)

/** The states by which deliveries are listed. */
export const listedStates = ['pending', 'delivered', 'failed'] as const
