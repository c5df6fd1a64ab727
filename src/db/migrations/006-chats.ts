import type { Migration } from './migration.ts'

/** Chat channels, their connections, conversations and messages, and the reply bot. */
export const chats: Migration = {
  name: '006-chats',
  counted: ['talks', 'chat_intents'],
  statements: [
    `create table channels (
      id text primary key, account_id bigint not null references accounts (id), name text not null,
      callback_url text not null, integration_id text, manner text not null, delivery text not null,
      secret_sealed bytea not null, previous_sealed bytea, previous_until bigint, is_secret_used bigint not null,
      state text not null, stop_reason text, stopped_at bigint, is_deleted bigint not null,
      created_at bigint not null, created_by bigint not null, updated_at bigint not null, updated_by bigint not null)`,
    `create index channels_by_account on channels (account_id, created_at, id)`,
    `create index channels_by_integration on channels (integration_id) where integration_id is not null`,

    `alter table audit_log add column channel_id text`,
    `create index audit_log_by_channel on audit_log (account_id, channel_id, id) where channel_id is not null`,

    `create table channel_connections (
      account_id bigint not null references accounts (id), channel_id text not null references channels (id),
      title text, hook_api_version text not null, is_time_window_disabled bigint not null,
      connected_at bigint not null, updated_at bigint not null, primary key (account_id, channel_id))`,
    `create index channel_connections_by_channel on channel_connections (channel_id)`,

    `create table chat_senders (
      account_id bigint not null references accounts (id), id text not null, channel_id text not null,
      external_id text not null, ref_id text, name text not null, avatar text, profile_link text, phone text, email text,
      created_at bigint not null, updated_at bigint not null, primary key (account_id, id))`,
    `create unique index chat_senders_by_external_id on chat_senders (account_id, channel_id, external_id)`,

    `create table conversations (
      account_id bigint not null references accounts (id), id text not null, channel_id text not null,
      external_id text not null, sender_id text not null, source_external_id text, talk_id bigint not null,
      contact_id bigint not null, lead_id bigint, is_in_work bigint not null, unread_count bigint not null,
      last_position bigint not null, last_message_id text, last_message_at bigint not null, typing_until bigint,
      version bigint not null, changed_at bigint not null, created_at bigint not null, primary key (account_id, id))`,
    `create unique index conversations_by_external_id on conversations (account_id, channel_id, external_id)`,
    `create index conversations_by_activity on conversations (account_id, last_message_at, id)`,
    `create index conversations_unread on conversations (account_id, last_message_at, id) where unread_count > 0`,
    `create index conversations_by_channel on conversations (account_id, channel_id, last_message_at, id)`,
    `create index conversations_by_contact on conversations (account_id, contact_id)`,
    `create index conversations_by_lead on conversations (account_id, lead_id) where lead_id is not null`,
    `create index conversations_by_change on conversations (account_id, changed_at)`,

    `create table talks (
      account_id bigint not null references accounts (id), id bigint not null, conversation_id text not null,
      contact_id bigint not null, lead_id bigint, created_at bigint not null, updated_at bigint not null,
      closed_at bigint, primary key (account_id, id))`,
    `create index talks_by_conversation on talks (account_id, conversation_id, id)`,
    `create index talks_by_contact on talks (account_id, contact_id)`,
    `create index talks_by_lead on talks (account_id, lead_id) where lead_id is not null`,

    `create table chat_messages (
      account_id bigint not null references accounts (id), id text not null, conversation_id text not null,
      position bigint not null, talk_id bigint not null, channel_id text not null, direction text not null,
      origin text not null, user_id bigint not null, sender_id text, external_id text, body_hash bytea,
      type text not null, text text not null, media text, thumbnail text, file_name text, file_size bigint,
      file_uuid text, content text not null, state text not null, error_code bigint, error text, delivery_id bigint,
      sent_at bigint not null, created_at bigint not null, edited_at bigint, primary key (account_id, id))`,
    `create unique index chat_messages_by_position on chat_messages (account_id, conversation_id, position)`,
    `create unique index chat_messages_by_external_id on chat_messages (account_id, channel_id, external_id)
      where external_id is not null`,

    `create table chat_reactions (
      account_id bigint not null references accounts (id), message_id text not null, author text not null,
      emoji text not null, created_at bigint not null, primary key (account_id, message_id, author))`,

    `create table chat_intents (
      account_id bigint not null references accounts (id), id bigint not null, name text not null, phrases text not null,
      answer text not null, created_at bigint not null, created_by bigint not null, updated_at bigint not null,
      updated_by bigint not null, primary key (account_id, id))`,

    `alter table deliveries add column circuit text`,
    `create index deliveries_by_circuit on deliveries (circuit, next_attempt_at, id)
      where state = 'pending' and circuit is not null`,

    `create table circuits (
      name text primary key, failures bigint not null, failing_since bigint, tries bigint not null,
      opens_at bigint, last_success_at bigint, last_failure_at bigint, last_error text)`,
    `create index circuits_by_opening on circuits (opens_at) where opens_at is not null`,
  ],
}
