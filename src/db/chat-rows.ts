import type { Flag, Json } from './column-types.ts'

/** A chat channel, as its provider's developer account registered it. */
export interface ChannelRow {
  /** A UUID; the channel_id of the platform. */
  id: string
  /** The developer account. */
  account_id: number
  name: string
  /** May hold `:scope_id`. */
  callback_url: string
  /** The integration that the channel belongs to: where that is installed, the channel may be connected. */
  integration_id: string | null
  /** `spec` or `live`: how pushes are read (C4). */
  manner: string
  /** `retry` or `once` (C7). */
  delivery: string
  secret_sealed: Buffer
  /** The secret before the last rotation, good until `previous_until`. */
  previous_sealed: Buffer | null
  previous_until: number | null
  /** Whether the provider has signed with the present secret: from then on callbacks are signed with it too. */
  is_secret_used: Flag
  /** `active` or `stopped`: nothing is sent. */
  state: string
  stop_reason: string | null
  stopped_at: number | null
  is_deleted: Flag
  created_at: number
  created_by: number
  updated_at: number
  updated_by: number
}

/** An account that takes messages of a channel. It is gone when it does not any more. */
export interface ChannelConnectionRow {
  account_id: number
  channel_id: string
  title: string | null
  /** `v1` or `v2`: the shape of callbacks. */
  hook_api_version: string
  is_time_window_disabled: Flag
  connected_at: number
  updated_at: number
}

/** A person on the other side of a channel. */
export interface ChatSenderRow {
  account_id: number
  id: string
  channel_id: string
  /** `sender.id` of pushes, `receiver` of callbacks. */
  external_id: string
  ref_id: string | null
  name: string
  avatar: string | null
  profile_link: string | null
  phone: string | null
  email: string | null
  created_at: number
  updated_at: number
}

export interface ConversationRow {
  account_id: number
  /** A UUID; the chat_id of the platform. */
  id: string
  channel_id: string
  /** `conversation_id` of pushes and callbacks. */
  external_id: string
  /** Who began it, and to whom messages go. */
  sender_id: string
  source_external_id: string | null
  /** The last talk, open or closed. */
  talk_id: number
  /** 0 while nobody of the other side has written in a chat that was created for a member (C14). */
  contact_id: number
  lead_id: number | null
  is_in_work: Flag
  unread_count: number
  last_position: number
  last_message_id: string | null
  last_message_at: number
  typing_until: number | null
  /** Counts every change of the conversation or of a message in it; `changed_at` is when the last one was. */
  version: number
  changed_at: number
  created_at: number
}

/** A piece of a conversation, from the first message to its closing. */
export interface TalkRow {
  account_id: number
  id: number
  conversation_id: string
  contact_id: number
  lead_id: number | null
  created_at: number
  updated_at: number
  closed_at: number | null
}

export interface ChatMessageRow {
  account_id: number
  /** A UUID that rises with time. */
  id: string
  conversation_id: string
  /** In the conversation, from 1, without gaps: the order of the thread. */
  position: number
  talk_id: number
  channel_id: string
  /** `in` or `out`. */
  direction: string
  /** `channel` (the provider pushed it), `person` or `bot`. */
  origin: string
  /** Who wrote it here; 0 for nobody. */
  user_id: number
  /** Who wrote it there. */
  sender_id: string | null
  /** `msgid` of the push. */
  external_id: string | null
  /** Of the push, to know the same one again. */
  body_hash: Buffer | null
  type: string
  text: string
  media: string | null
  thumbnail: string | null
  file_name: string | null
  file_size: number | null
  /** A file of this account, of which `media` is made when the message is sent. */
  file_uuid: string | null
  /** What the kinds of messages have beyond the columns: `location`, `contact`, `reply_to` and so on. */
  content: Json
  /** `received`; of messages out `pending`, `delivered`, `read`, `failed`. */
  state: string
  error_code: number | null
  error: string | null
  delivery_id: number | null
  /** When the provider says that it was written. */
  sent_at: number
  created_at: number
  edited_at: number | null
}

export interface ChatReactionRow {
  account_id: number
  message_id: string
  /** `sender:<id>`, `user:<id>` or `bot`. */
  author: string
  emoji: string
  created_at: number
}

/** What the reply bot listens for, and what it answers. */
export interface ChatIntentRow {
  account_id: number
  id: number
  name: string
  /** A list of texts. */
  phrases: Json
  answer: string
  created_at: number
  created_by: number
  updated_at: number
  updated_by: number
}

/** How an endpoint has been answering: one for everything that is sent to it. */
export interface CircuitRow {
  name: string
  /** What each state means is described in outbound/circuit-breaker.ts. */
  state: 'closed' | 'open' | 'recovering'
  /** Consecutive failures; 0 after an answer. */
  failures: number
  failing_since: number | null
  /** Attempts since it began to fail. */
  tries: number
  /** `open`: when the next probe can go. `recovering`: when it closed. `closed`: null. */
  due_at: number | null
  last_success_at: number | null
  last_failure_at: number | null
  last_error: string | null
}
