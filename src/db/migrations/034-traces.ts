import type { Migration } from './migration.ts'

/** The request that started or undid a job, and the traces of others that stored work continues. */
export const traces: Migration = {
  name: '034-traces',
  counted: [],
  isAdditive: true,
  statements: [
    'alter table jobs add column request_id text',
    'alter table jobs add column undo_request_id text',
    'alter table jobs add column trace_context text',
    'alter table automation_runs add column trace_context text',
    'alter table webhook_announcements add column trace_context text',
    'alter table deliveries add column trace_context text',
  ],
}
