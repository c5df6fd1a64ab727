import type { Migration } from './migration.ts'

/** Notices of calls for open pages, and the widgets of integrations. */
export const callNoticesAndWidgets: Migration = {
  name: '027-call-notices-and-widgets',
  counted: ['widgets'],
  statements: [
    `create table call_notices (
      account_id bigint not null references accounts (id), id text not null, phone text not null, entity_type text,
      entity_id bigint, users text, created_at bigint not null, primary key (account_id, id))`,
    `create index call_notices_by_age on call_notices (created_at)`,
    `create table widgets (
      id bigint primary key, integration_id text not null unique references integrations (id),
      code text not null unique, manifest text not null, created_at bigint not null, updated_at bigint not null)`,
    `create table widget_installations (
      account_id bigint not null references accounts (id), widget_id bigint not null references widgets (id),
      settings bytea not null, installed_by bigint not null, installed_at bigint not null,
      updated_at bigint not null, primary key (account_id, widget_id))`,
  ],
}
