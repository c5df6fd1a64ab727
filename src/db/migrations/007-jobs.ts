import type { Migration } from './migration.ts'

/** Imports and bulk changes, with the outcome of each row. */
export const jobs: Migration = {
  name: '007-jobs',
  counted: ['jobs'],
  statements: [
    `create table jobs (
      account_id bigint not null references accounts (id), id bigint not null, kind text not null,
      entity_type text not null, catalog_id bigint, state text not null, settings text not null,
      total bigint not null, position bigint not null, added bigint not null, changed bigint not null,
      skipped bigint not null, failed bigint not null, undone bigint not null, kept bigint not null,
      error text, created_by bigint not null, run_by bigint not null, created_at bigint not null,
      updated_at bigint not null, started_at bigint, finished_at bigint, due_at bigint, lease text,
      primary key (account_id, id))`,
    `create index jobs_by_person on jobs (account_id, created_by, id)`,
    `create index jobs_due on jobs (due_at, id) where due_at is not null`,
    `create index jobs_by_update on jobs (updated_at)`,

    `create table job_rows (
      account_id bigint not null, job_id bigint not null, position bigint not null, entity_id bigint,
      outcome text, data text, primary key (account_id, job_id, position))`,
    `create index job_rows_by_outcome on job_rows (account_id, job_id, outcome, position)`,
  ],
}
