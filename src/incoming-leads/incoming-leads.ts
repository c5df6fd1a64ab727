/** The public API of the slice: leads that wait in the incoming stage until somebody accepts or declines them. */

export { addIncoming, enterArrivals } from './add.ts'
export { type ChatText, editChatMessage, enterChat, type IncomingChat, takeChatMessage } from './chats.ts'
export { type IncomingQuery, listIncoming, summarizeIncoming } from './list.ts'
export { removeIncoming } from './queries.ts'
export { acceptIncoming, declineIncoming } from './sort.ts'
export { leadsSorted } from './sorted.ts'
export { sampleIncomingLead } from './webhook-items.ts'
