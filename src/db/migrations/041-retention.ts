import type { Migration } from './migration.ts'

/**
 * For how long accounts keep old rows, and the deletion of these rows. The indexes find deleted notes and tasks, consents
 * by age, and the visitors of a record.
 */
export const retention: Migration = {
  name: '041-retention',
  counted: [],
  isAdditive: true,
  statements: [
    `create table retention_settings (
      account_id bigint not null references accounts (id), kind text not null, days bigint,
      primary key (account_id, kind))`,
    `create table retention_runs (
      account_id bigint not null references accounts (id), due_at bigint not null, lease text, kind text,
      position text, deleted text not null, kept text not null, started_at bigint, ended_at bigint,
      primary key (account_id))`,
    `create index retention_runs_due on retention_runs (due_at)`,
  ],
  indexes: [
    'create index notes_in_trash on notes (account_id, updated_at, id) where is_deleted = 1',
    `create index tasks_in_trash on tasks (account_id, updated_at, id) where is_deleted = 1`,
    `create index grants_by_creation on grants (account_id, created_at, id)`,
    `create index visitors_by_record on visitors (account_id, entity_type, entity_id)`,
  ],
}
