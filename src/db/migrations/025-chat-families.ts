import type { Tx } from '../database.ts'
import { nextIds } from '../dialect.ts'
import { insertRows } from '../row-sets.ts'
import type { Migration } from './migration.ts'

/** Lists of talks and of their messages; chat templates and their reviews; the reply bot of each account. */
export const chatFamilies: Migration = {
  name: '025-chat-families',
  counted: ['chat_templates', 'chat_template_reviews', 'chat_bots'],
  statements: [
    `alter table talks add column position bigint not null default 0`,
    // Talks follow one another, so a talk begins after the last message of the earlier ones.
    `update talks set position = coalesce((
      select max(message.position) from chat_messages as message
      where message.account_id = talks.account_id and message.conversation_id = talks.conversation_id
        and message.talk_id < talks.id), 0)`,
    `create index talks_open on talks (account_id, id) where closed_at is null`,

    `create table chat_templates (
      account_id bigint not null references accounts (id), id bigint not null,
      integration_id text references integrations (id), name text not null, content text not null,
      buttons text not null, file_uuid text, attachment_name text, attachment_type text, is_editable bigint not null,
      external_id text, type text not null, waba_footer text not null, waba_category text not null,
      waba_language text not null, waba_examples text not null, waba_header text, waba_header_type text,
      created_at bigint not null, created_by bigint not null, updated_at bigint not null, updated_by bigint not null,
      primary key (account_id, id))`,
    `create index chat_templates_by_file on chat_templates (account_id, file_uuid) where file_uuid is not null`,
    `create table chat_template_reviews (
      account_id bigint not null references accounts (id), id bigint not null, template_id bigint not null,
      source_id bigint, status text not null, reject_reason text not null, created_at bigint not null,
      updated_at bigint not null, primary key (account_id, id))`,
    `create index chat_template_reviews_by_template on chat_template_reviews (account_id, template_id, id)`,

    `create table chat_bots (
      account_id bigint not null references accounts (id), id bigint not null, name text not null,
      greeting text not null, created_at bigint not null, updated_at bigint not null, updated_by bigint not null,
      primary key (account_id, id))`,
    `alter table conversations add column bot_stopped_talk_id bigint`,
  ],
  fill,
}

/** New accounts get their bot when they are founded. */
async function fill(tx: Tx): Promise<void> {
  const accounts = await tx.selectFrom('accounts').select(['id', 'created_at']).orderBy('id').execute()
  if (accounts.length === 0) return
  const ids = await nextIds(tx, 'chat_bots', accounts.length)
  await insertRows(
    tx,
    'chat_bots',
    accounts.map(({ id: account_id, created_at }, i) => ({
      account_id,
      id: ids[i] as number,
      name: 'Reply bot',
      greeting: '',
      created_at,
      updated_at: created_at,
      updated_by: 0,
    })),
  )
}
