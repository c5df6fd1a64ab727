import type { Migration } from './migration.ts'

/** Webhooks, and how long an account tries to deliver to them. */
export const webhooks: Migration = {
  name: '022-webhooks',
  counted: ['webhooks', 'delivery_bodies'],
  statements: [
    `alter table accounts add column webhook_plan text not null default 'patient'`,
    `create table webhooks (
      account_id bigint not null references accounts (id), id bigint not null, destination text not null,
      settings text not null, sort bigint not null, is_disabled bigint not null, disable_reason text,
      disabled_at bigint, recent_failures text not null, signing_secret bytea, integration_id text,
      created_by bigint not null, created_at bigint not null, updated_at bigint not null,
      primary key (account_id, id), unique (account_id, destination))`,
    `create table webhook_orders (
      account_id bigint not null references accounts (id), record text not null, ordering_keys text not null,
      created_at bigint not null, primary key (account_id, record))`,
    // A body that several deliveries send is stored once.
    `create table delivery_bodies (
      id bigint primary key, account_id bigint not null references accounts (id), body text not null,
      created_at bigint not null)`,
    `alter table deliveries add column body_id bigint`,
    `create index deliveries_by_body on deliveries (body_id) where body_id is not null`,
    // The deliveries of a subject are listed by their ids.
    `drop index deliveries_by_subject`,
    `create index deliveries_by_subject on deliveries (account_id, kind, subject, id)`,
    `create index deliveries_failed on deliveries (account_id, kind, subject, id) where state = 'failed'`,
  ],
}
