import type { Migration } from './migration.ts'

/** Followers of cards, and segments of customers. */
export const followersAndSegments: Migration = {
  name: '026-followers-and-segments',
  counted: ['segments'],
  statements: [
    `create table subscriptions (
      account_id bigint not null references accounts (id), entity_id bigint not null, user_id bigint not null,
      entity_type text not null, created_at bigint not null, primary key (account_id, entity_id, user_id))`,
    `create index subscriptions_by_user on subscriptions (account_id, user_id, entity_id)`,
    `create table segments (
      account_id bigint not null references accounts (id), id bigint not null, name text not null,
      color text not null, price_types text not null, field_values text not null, filter text,
      created_by bigint not null, created_at bigint not null, updated_at bigint not null,
      primary key (account_id, id))`,
    `create table segment_members (
      account_id bigint not null, entity_id bigint not null, segment_id bigint not null,
      is_computed bigint not null, primary key (account_id, entity_id, segment_id))`,
    `create index segment_members_by_segment on segment_members (account_id, segment_id, entity_id)`,
  ],
}
