import type { Migration } from './migration.ts'

/** Lists of talks and of their messages. */
export const chatFamilies: Migration = {
  name: '025-chat-families',
  counted: [],
  statements: [
    `alter table talks add column position bigint not null default 0`,
    // Talks follow one another, so a talk begins after the last message of the earlier ones.
    `update talks set position = coalesce((
      select max(message.position) from chat_messages as message
      where message.account_id = talks.account_id and message.conversation_id = talks.conversation_id
        and message.talk_id < talks.id), 0)`,
    `create index talks_open on talks (account_id, id) where closed_at is null`,
  ],
}
