/** The public API of the slice: leads that wait in the incoming stage until somebody accepts or declines them. */

export { enterArrivals } from './add.ts'
export { type ChatText, enterChat, type IncomingChat, takeChatMessage } from './chats.ts'
export { removeIncoming } from './queries.ts'
export { leadsSorted } from './sorted.ts'
export { sampleIncomingLead } from './webhook-items.ts'
