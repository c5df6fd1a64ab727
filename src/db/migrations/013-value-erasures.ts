import type { Migration } from './migration.ts'

/** Stored values of deleted fields and choices, which are erased in batches. */
export const valueErasures: Migration = {
  name: '013-value-erasures',
  counted: ['value_erasures'],
  statements: [
    `create table value_erasures (
      account_id bigint not null references accounts (id), id bigint not null, field text not null, enum_ids text,
      created_at bigint not null, due_at bigint not null, primary key (account_id, id))`,
    `create index value_erasures_by_due on value_erasures (due_at)`,
  ],
}
