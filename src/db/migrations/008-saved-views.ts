import type { Migration } from './migration.ts'

/** Saved views: filters of lists under a name. */
export const savedViews: Migration = {
  name: '008-saved-views',
  counted: ['saved_views'],
  statements: [
    `create table saved_views (
      account_id bigint not null references accounts (id), id bigint not null, room text not null, name text not null,
      search text not null, is_shared bigint not null, created_by bigint not null, created_at bigint not null,
      updated_at bigint not null, primary key (account_id, id))`,
    `create index saved_views_by_person on saved_views (account_id, created_by, id)`,
    `create index saved_views_shared on saved_views (account_id, id) where is_shared = 1`,
  ],
}
