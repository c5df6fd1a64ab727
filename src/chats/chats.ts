/** The public API of the slice: channels, conversations, the messages in them, and the bot that answers. */

export { isStopped } from './bot/bot.ts'
export { seedBot } from './bot/bot-settings.ts'
export { actionDeliveries, chatDeliveries } from './channels/callback-deliveries.ts'
export { type ChannelSecrets, channelSecrets } from './channels/channel-keys.ts'
export { createChannel } from './channels/channels.ts'
export { connectOwn, disconnectIntegration } from './channels/connections.ts'
export type { IntegrationsOfChannels } from './channels/own-channels.ts'
export {
  addProviderLine,
  findProviderLine,
  type LineNeeds,
  type ProviderLine,
} from './channels/provider-line.ts'
export { retryOnConflict } from './conversations/conflicts.ts'
export { moveConversations } from './conversations/conversation-changes.ts'
export { lockConversationOfLead, recordsWithConversations } from './conversations/conversation-queries.ts'
export { sampleTalk } from './conversations/webhook-talks.ts'
export { sendDeliveredMessageAgain } from './inbox/reply.ts'
export { reportDelivery } from './messages/delivery-status.ts'
export { fileMessagesSeen } from './messages/file-uses.ts'
export type { Protocol } from './messages/message-kinds.ts'
export { readMessages } from './messages/message-view.ts'
export { oldMessages } from './messages/old-messages.ts'
export { receivePush } from './messages/receive.ts'
export { sendMessage } from './messages/send.ts'
export { sampleMessage } from './messages/webhook-messages.ts'
export { channelNames, integrationsOf, moveChannels } from './scopes/channel-queries.ts'
export { receivingChannels } from './scopes/connection-queries.ts'
export { botIdOf, circuitOf as circuitOfChannel, scopeIdOf } from './scopes/scopes.ts'
export { sealedChannels } from './scopes/sealed-queries.ts'
export { SIGNED_DATE } from './scopes/signature.ts'
export {
  authenticateChannel,
  authenticateScope,
  type UnverifiedRequest,
} from './scopes/signature-authentication.ts'
export type { SourcesOfChats } from './scopes/sources.ts'
export { fileTemplatesSeen } from './templates/file-uses.ts'
export { sampleTemplate } from './templates/webhook-templates.ts'
