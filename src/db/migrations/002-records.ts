import type { Migration } from './migration.ts'

/** Records with their fields, pipelines, links, tags, tasks and notes, and the event log. */
export const records: Migration = {
  name: '002-records',
  counted: [
    'pipelines',
    'statuses',
    'loss_reasons',
    'customer_statuses',
    'catalogs',
    'custom_fields',
    'entities',
    'tags',
    'transactions',
    'tasks',
    'notes',
    'audiences',
  ],
  statements: [
    `create table pipelines (
      account_id bigint not null references accounts (id), id bigint not null, name text not null, sort bigint not null,
      is_main bigint not null, is_unsorted_on bigint not null, is_archive bigint not null, primary key (account_id, id))`,

    `create table statuses (
      account_id bigint not null, pipeline_id bigint not null, id bigint not null, name text not null,
      sort bigint not null, color text not null, type bigint not null, is_editable bigint not null,
      descriptions text not null, primary key (account_id, pipeline_id, id),
      foreign key (account_id, pipeline_id) references pipelines (account_id, id))`,

    `create table loss_reasons (
      account_id bigint not null references accounts (id), id bigint not null, name text not null, sort bigint not null,
      created_at bigint not null, updated_at bigint not null, primary key (account_id, id))`,

    `create table customer_statuses (
      account_id bigint not null references accounts (id), id bigint not null, name text not null, sort bigint not null,
      color text not null, is_default bigint not null, type bigint not null, primary key (account_id, id))`,

    `create table catalogs (
      account_id bigint not null references accounts (id), id bigint not null, name text not null, type text not null,
      sort bigint not null, can_add_elements bigint not null, can_show_in_cards bigint not null,
      can_link_multiple bigint not null, can_be_deleted bigint not null, sdk_widget_code text,
      created_by bigint not null, updated_by bigint not null, created_at bigint not null, updated_at bigint not null,
      primary key (account_id, id))`,

    `create table custom_fields (
      account_id bigint not null references accounts (id), id bigint not null, entity_type text not null,
      catalog_id bigint, group_id text, type text not null, name text not null, code text, sort bigint not null,
      is_api_only bigint not null, is_predefined bigint not null, is_deletable bigint not null,
      is_disabled bigint not null, origin text, enums text not null, settings text not null,
      created_at bigint not null, updated_at bigint not null, primary key (account_id, id))`,
    `create index custom_fields_by_owner on custom_fields (account_id, entity_type, catalog_id)`,

    `create table custom_field_groups (
      account_id bigint not null references accounts (id), entity_type text not null, id text not null,
      name text not null, sort bigint not null, created_at bigint not null, primary key (account_id, entity_type, id))`,

    // Records of one kind are stored in the order of their ids, so a page of a list is one range of the primary
    // key.
    `create table entities (
      account_id bigint not null, entity_type text not null, id bigint not null, catalog_id bigint, name text not null,
      first_name text, last_name text, responsible_user_id bigint not null,
      created_by bigint not null, updated_by bigint not null, created_at bigint not null, updated_at bigint not null,
      is_deleted bigint not null, merged_into bigint, closest_task_at bigint,
      price bigint, pipeline_id bigint, status_id bigint, loss_reason_id bigint, source_id bigint, closed_at bigint,
      next_price bigint, next_date bigint, periodicity bigint, ltv bigint, purchases_count bigint, bonus_points bigint,
      primary key (account_id, entity_type, id))`,
    `create index entities_by_update on entities (account_id, entity_type, updated_at, id)`,
    `create index entities_by_creation on entities (account_id, entity_type, created_at, id)`,
    `create index entities_by_responsible on entities (account_id, entity_type, responsible_user_id, id)`,
    `create index entities_by_status on entities (account_id, entity_type, pipeline_id, status_id, id)`,
    `create index entities_by_catalog on entities (account_id, catalog_id, id) where catalog_id is not null`,

    `create table search_words (
      account_id bigint not null, entity_type text not null, word text collate "C" not null, entity_id bigint not null,
      primary key (account_id, entity_type, word, entity_id))`,

    `create table tags (
      account_id bigint not null references accounts (id), entity_type text not null, id bigint not null,
      name text not null, color text, primary key (account_id, entity_type, id))`,
    `create unique index tags_by_name on tags (account_id, entity_type, name)`,
    `create table entity_tags (
      account_id bigint not null, entity_id bigint not null, tag_id bigint not null,
      primary key (account_id, entity_id, tag_id))`,
    `create index entity_tags_by_tag on entity_tags (account_id, tag_id, entity_id)`,

    `create table links (
      account_id bigint not null, entity_id bigint not null, to_entity_id bigint not null, entity_type text not null,
      to_entity_type text not null, is_main bigint not null, quantity double precision, catalog_id bigint, price_id bigint,
      primary key (account_id, entity_id, to_entity_id))`,

    `create table field_values (
      account_id bigint not null, entity_id bigint not null, field_values text not null,
      primary key (account_id, entity_id))`,
    `create table field_keys (
      account_id bigint not null, field_id bigint not null, key text collate "C" not null, entity_id bigint not null,
      primary key (account_id, field_id, key, entity_id))`,

    `create table transactions (
      account_id bigint not null, id bigint not null, customer_id bigint not null, price bigint not null, comment text,
      completed_at bigint not null, elements text not null, created_by bigint not null, updated_by bigint not null,
      created_at bigint not null, updated_at bigint not null, is_deleted bigint not null, primary key (account_id, id))`,
    `create index transactions_by_customer on transactions (account_id, customer_id, id)`,

    `create table tasks (
      account_id bigint not null, id bigint not null, entity_type text, entity_id bigint,
      responsible_user_id bigint not null, task_type_id bigint not null, text text not null, result text,
      duration bigint not null, complete_till bigint not null, is_completed bigint not null, is_deleted bigint not null,
      created_by bigint not null, updated_by bigint not null, created_at bigint not null, updated_at bigint not null,
      primary key (account_id, id))`,
    `create index tasks_by_entity on tasks (account_id, entity_id, is_completed, complete_till)`,
    `create index tasks_by_responsible on tasks (account_id, responsible_user_id, is_completed, complete_till)`,
    `create index tasks_by_update on tasks (account_id, updated_at, id)`,
    `create index tasks_by_creation on tasks (account_id, created_at, id)`,
    `create index tasks_by_deadline on tasks (account_id, complete_till, id)`,

    `create table notes (
      account_id bigint not null, entity_type text not null, id bigint not null, entity_id bigint not null,
      note_type text not null, params text not null, responsible_user_id bigint not null,
      created_by bigint not null, updated_by bigint not null, created_at bigint not null, updated_at bigint not null,
      is_pinned bigint not null, is_deleted bigint not null, primary key (account_id, entity_type, id))`,
    `create index notes_by_entity on notes (account_id, entity_id, id)`,

    // A page of the log is one range of the primary key, because ULIDs sort by time.
    `create table events (
      account_id bigint not null, id text collate "C" not null, type bigint not null, entity_type text not null,
      entity_id bigint not null, created_by bigint not null, created_at bigint not null,
      value_after text not null, value_before text not null, field_id bigint, field_name text, talk_contact_id bigint,
      request_id text not null, primary key (account_id, id))`,

    `create table short_links (
      token text primary key, account_id bigint not null references accounts (id), entity_type text not null,
      entity_id bigint not null, url text not null, created_by bigint not null, created_at bigint not null)`,

    `create table visitors (
      account_id bigint not null references accounts (id), visitor_uid text not null, entity_type text not null,
      entity_id bigint not null, created_at bigint not null, primary key (account_id, visitor_uid))`,
    `create table visits (
      account_id bigint not null, visitor_uid text not null, url text not null, at bigint not null,
      primary key (account_id, visitor_uid, url))`,
    `create index visits_by_age on visits (at)`,

    `create table surveys (
      token text primary key, account_id bigint not null references accounts (id), entity_type text not null,
      entity_id bigint not null, rate bigint, created_by bigint not null, created_at bigint not null, rated_at bigint)`,

    `create table audiences (
      account_id bigint not null references accounts (id), id bigint not null, name text not null, service text not null,
      created_by bigint not null, created_at bigint not null, primary key (account_id, id))`,
    `create table audience_members (
      account_id bigint not null, audience_id bigint not null, entity_type text not null, entity_id bigint not null,
      added_at bigint not null, primary key (account_id, entity_id, audience_id))`,
    `create index audience_members_by_audience on audience_members (account_id, audience_id)`,

    `create table idempotency_keys (
      account_id bigint not null, caller text not null, key text not null, request_hash bytea not null, status bigint,
      answer text, created_at bigint not null, primary key (account_id, caller, key))`,
    `create index idempotency_keys_by_age on idempotency_keys (created_at)`,
  ],
}
