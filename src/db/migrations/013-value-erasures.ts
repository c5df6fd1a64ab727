import type { Migration } from './migration.ts'

/** Values of deleted fields and choices that are still stored with records, and are taken away a batch at a time. */
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
