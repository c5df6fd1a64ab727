import type { Migration } from './migration.ts'

/**
 * Incoming leads: what is known about where a lead of the incoming stage comes from. Until it is accepted, its contact and
 * its company are in no list. The index for totals contains that, too.
 */
export const incomingLeads: Migration = {
  name: '023-incoming-leads',
  counted: ['site_forms'],
  statements: [
    // Whether the leads of new chats wait in the incoming stage.
    `alter table accounts add column are_chats_unsorted bigint not null default 0`,
    `alter table entities add column is_unsorted bigint not null default 0`,
    `drop index entities_totals`,
    `create index entities_totals on entities (account_id, entity_type, is_deleted, pipeline_id, status_id,
      responsible_user_id, price, next_price, is_unsorted)`,
    `create table incoming_leads (
      account_id bigint not null references accounts (id), uid text not null, lead_id bigint not null,
      category text not null, source_uid text, source_name text not null, pipeline_id bigint not null,
      metadata text not null, content_hash text not null, state text not null, sorted_at bigint,
      created_at bigint not null, updated_at bigint not null, primary key (account_id, uid),
      unique (account_id, lead_id))`,
    `create index incoming_leads_by_creation on incoming_leads (account_id, state, created_at, lead_id)`,
    `create index incoming_leads_by_update on incoming_leads (account_id, updated_at, lead_id)
      where state = 'waiting'`,
    `create index incoming_leads_by_sorting on incoming_leads (account_id, sorted_at) where sorted_at is not null`,
    `create table site_forms (
      account_id bigint not null references accounts (id), id bigint not null, token text not null,
      name text not null, pipeline_id bigint not null, fields text not null, thanks text not null,
      is_enabled bigint not null, created_by bigint not null, created_at bigint not null, updated_at bigint not null,
      primary key (account_id, id), unique (token))`,
    `create index incoming_leads_by_content on incoming_leads (account_id, content_hash) where state = 'waiting'`,
  ],
}
