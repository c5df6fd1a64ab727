import type { Migration } from './migration.ts'

/** Marks imported rows with a suspicious value. */
export const rowWarnings: Migration = {
  name: '018-row-warnings',
  counted: [],
  statements: [
    `alter table jobs add column warned bigint not null default 0`,
    `alter table job_rows add column has_warning bigint not null default 0`,
    `create index job_rows_with_warning on job_rows (account_id, job_id, position) where has_warning = 1`,
  ],
}
