import type { Migration } from './migration.ts'

/** Deleted tags, which are taken from records in batches. */
export const tagErasures: Migration = {
  name: '044-tag-erasures',
  counted: [],
  isAdditive: true,
  statements: [
    `create table tag_erasures (
      account_id bigint not null references accounts (id), tag_id bigint not null, created_at bigint not null,
      due_at bigint not null, primary key (account_id, tag_id))`,
    `create index tag_erasures_by_due on tag_erasures (due_at)`,
  ],
}
