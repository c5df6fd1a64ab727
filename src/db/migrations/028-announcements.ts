import type { Migration } from './migration.ts'

/** Announced changes, which become the deliveries of webhooks after the transaction of the change. */
export const announcements: Migration = {
  name: '028-announcements',
  counted: ['webhook_announcements'],
  statements: [
    `create table webhook_announcements (
      id bigint primary key, account_id bigint not null references accounts (id), request_id text not null,
      changes text not null, created_at bigint not null)`,
  ],
}
