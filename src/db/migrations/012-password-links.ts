import type { Migration } from './migration.ts'

/** One-time links to set a new password: at most one for each person. */
export const passwordLinks: Migration = {
  name: '012-password-links',
  counted: [],
  statements: [
    `create table password_links (
      user_id bigint primary key references users (id), hash bytea not null unique,
      account_id bigint not null references accounts (id), created_by bigint not null, expires_at bigint not null)`,
  ],
}
