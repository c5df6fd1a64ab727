import type { Migration } from './migration.ts'

/** Subscriptions of listeners, which receive webhooks over a stream; and the deliveries of an account in their order. */
export const listeners: Migration = {
  name: '037-listeners',
  counted: [],
  isAdditive: true,
  statements: [
    `create table webhook_listeners (
      account_id bigint not null references accounts (id), id bigint not null, session text not null,
      codes text not null, is_for_rest bigint not null, expires_at bigint not null, created_at bigint not null,
      primary key (account_id, id), unique (account_id, session))`,
  ],
  indexes: ['create index deliveries_in_order on deliveries (account_id, id)'],
}
