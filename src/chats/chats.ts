/** The door of the slice: channels, conversations, the messages in them, and the bot that answers. */

export { createChannel } from './channels.ts'
export { chatDeliveries } from './chat-deliveries.ts'
export { connectOwn, disconnectIntegration, scopeIdOf } from './connections.ts'
export { moveConversations } from './conversations.ts'
export { reportDelivery } from './delivery-status.ts'
export { messageKinds } from './message-kinds.ts'
export { readMessages } from './message-view.ts'
export { type OutgoingDraft, sendMessage } from './outgoing.ts'
export type { IntegrationsOfChannels } from './own-channels.ts'
export { proveChannel, proveScope, type Unproved } from './proof.ts'
export { receivePush } from './push.ts'
