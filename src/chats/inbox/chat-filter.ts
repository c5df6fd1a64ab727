/**
 * The filters of the list of chats that depend on the chat alone. The server evaluates them in SQL, the web application in
 * memory for a chat that has just changed.
 */

export const chatStates = ['unread', 'open', 'closed'] as const
export type ChatState = (typeof chatStates)[number]

/** The parameters below `filter`. */
export interface ChatFilter {
  state?: ChatState | undefined
  channel_id?: string | undefined
  contact_id?: string | undefined
  lead_id?: string | undefined
}

interface Filtered {
  is_read: boolean
  is_in_work: boolean
  channel: { id: string }
  contact_id: number
  lead_id: number | null
}

const isInState: Record<ChatState, (chat: Filtered) => boolean> = {
  unread: ({ is_read }) => !is_read,
  open: ({ is_in_work }) => is_in_work,
  closed: ({ is_in_work }) => !is_in_work,
}

export const fitsChat = (chat: Filtered, { state, channel_id, contact_id, lead_id }: ChatFilter): boolean =>
  (!state || isInState[state](chat)) &&
  (!channel_id || chat.channel.id === channel_id) &&
  (!contact_id || String(chat.contact_id) === contact_id) &&
  (!lead_id || String(chat.lead_id) === lead_id)
