import type { Flag, Json } from './column-types.ts'

/** A chat channel, registered by its provider's developer account. */
export interface ChannelRow {
  /** A UUID; the channel_id of the platform. */
  id: string
  /** The developer account. */
  account_id: number
  name: string
  /** Can contain `:scope_id`. */
  callback_url: string
  /** The integration of the channel: accounts that install it can connect the channel. */
  integration_id: string | null
  /** Its number (`IntegrationRow`). */
  integration_number: number | null
  /** `spec` or `live`: the format of pushes (C4). */
  protocol: string
  /** `retry` or `once` (C7). */
  delivery: string
  secret_sealed: Buffer
  /** The secret before the last rotation, valid until `previous_until`. */
  previous_sealed: Buffer | null
  previous_until: number | null
  /** Whether the provider has signed with the current secret. If so, callbacks are signed with it too. */
  is_secret_used: Flag
  /** `active` or `stopped`; a stopped channel sends nothing. */
  state: string
  stop_reason: string | null
  stopped_at: number | null
  is_deleted: Flag
  created_at: number
  created_by: number
  updated_at: number
  updated_by: number
}

/** A connection of an account to a channel. Deleted when the account disconnects. */
export interface ChannelConnectionRow {
  account_id: number
  channel_id: string
  title: string | null
  /** `v1` or `v2`: the format of callbacks. */
  hook_api_version: string
  is_time_window_disabled: Flag
  connected_at: number
  updated_at: number
}

/** A customer who writes through a channel. */
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
  /** The customer who started it, and who receives messages. */
  sender_id: string
  source_external_id: string | null
  /** The latest talk, open or closed. */
  talk_id: number
  /** 0 until the customer writes, in a chat that was created for a member (C14). */
  contact_id: number
  lead_id: number | null
  is_in_work: Flag
  unread_count: number
  last_position: number
  last_message_id: string | null
  last_message_at: number
  typing_until: number | null
  /** The talk in which the reply bot is silent. A later talk has the bot again. */
  bot_stopped_talk_id: number | null
  /** Counts changes of the conversation and its messages; `changed_at` is the time of the last one. */
  version: number
  changed_at: number
  created_at: number
}

/** A section of a conversation, from its first message until it is closed. */
export interface TalkRow {
  account_id: number
  id: number
  conversation_id: string
  /** The position of the last message before the talk; 0 if there is none. */
  position: number
  contact_id: number
  lead_id: number | null
  created_at: number
  updated_at: number
  closed_at: number | null
}

export interface ChatMessageRow {
  account_id: number
  /** A UUID that sorts by time. */
  id: string
  conversation_id: string
  /** The position in the conversation, from 1 without gaps; orders the thread. */
  position: number
  talk_id: number
  channel_id: string
  /** `in` or `out`. */
  direction: string
  /** `channel` (the provider pushed it), `person` or `bot`. */
  origin: string
  /** The member who wrote it; 0 for nobody. */
  user_id: number
  /** The number of the integration that wrote or pushed it. */
  by_integration: number | null
  /** The customer who wrote it. */
  sender_id: string | null
  /** The provider's id: `msgid` of the push, or of the edit that gave it. */
  external_id: string | null
  /** The hash of the push, to recognise repetitions. */
  body_hash: Buffer | null
  type: string
  text: string
  media: string | null
  thumbnail: string | null
  file_name: string | null
  file_size: number | null
  /** A file of this account, from which `media` is built when the message is sent. */
  file_uuid: string | null
  /** Data of specific kinds of messages: `location`, `contact`, `reply_to` and so on. */
  content: Json
  /** `received`; for outgoing messages `pending`, `delivered`, `read`, `failed`. */
  state: string
  error_code: number | null
  error: string | null
  delivery_id: number | null
  /** The time of writing, as the provider states it. */
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

/** A prepared message. Its members are those of the platform (docs/wire/templates.md). */
export interface ChatTemplateRow {
  account_id: number
  id: number
  /** The integration that added it; null: a person in the application. */
  integration_id: string | null
  name: string
  content: string
  /** A JSON array. */
  buttons: Json
  /** The attachment. */
  file_uuid: string | null
  attachment_name: string | null
  attachment_type: string | null
  is_editable: Flag
  external_id: string | null
  /** `amocrm` or `waba`. */
  type: string
  waba_footer: string
  waba_category: string
  waba_language: string
  /** A JSON object. */
  waba_examples: Json
  waba_header: string | null
  waba_header_type: string | null
  created_at: number
  created_by: number
  updated_at: number
  updated_by: number
}

/** The review of a template for one source. */
export interface ChatTemplateReviewRow {
  account_id: number
  id: number
  template_id: number
  /** Null if the integration has no sources. */
  source_id: number | null
  /** `review`, `approved`, `paused` or `rejected`. */
  status: string
  reject_reason: string
  created_at: number
  updated_at: number
}

/** The reply bot of an account. Every account has one. */
export interface ChatBotRow {
  account_id: number
  id: number
  name: string
  /** Sent when the bot is run; empty for nothing. */
  greeting: string
  created_at: number
  updated_at: number
  updated_by: number
}

/** A trigger of the reply bot, and its answer. */
export interface ChatIntentRow {
  account_id: number
  id: number
  name: string
  /** A JSON array of texts. */
  phrases: Json
  answer: string
  created_at: number
  created_by: number
  updated_at: number
  updated_by: number
}

/** The health of an endpoint, shared by all its deliveries. */
export interface CircuitRow {
  name: string
  /** See outbound/circuit-breaker.ts for the meaning of each state. */
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
