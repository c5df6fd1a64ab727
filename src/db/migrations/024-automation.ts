import type { Migration } from './migration.ts'

/** Rules of the stages of pipelines, and their runs. */
export const automation: Migration = {
  name: '024-automation',
  counted: ['automation_rules', 'automation_runs'],
  statements: [
    `create table automation_rules (
      account_id bigint not null references accounts (id), id bigint not null, pipeline_id bigint not null,
      status_id bigint not null, entry text not null, delay bigint not null, action text not null,
      is_enabled bigint not null, created_by bigint not null, updated_by bigint not null,
      created_at bigint not null, updated_at bigint not null, primary key (account_id, id))`,
    `create index automation_rules_by_stage on automation_rules (account_id, status_id, pipeline_id)`,
    `create table automation_runs (
      account_id bigint not null references accounts (id), id bigint not null, rule_id bigint not null,
      action text not null, lead_id bigint not null, pipeline_id bigint not null, status_id bigint not null,
      old_pipeline_id bigint, old_status_id bigint, chain text not null, stays bigint not null,
      state text not null, reason text, result text not null, planned_at bigint not null, due_at bigint,
      lease text, failures bigint not null, request_id text not null, created_at bigint not null,
      ended_at bigint, primary key (account_id, id))`,
    `create index automation_runs_due on automation_runs (due_at, id, account_id) where due_at is not null`,
    `create index automation_runs_waiting on automation_runs (account_id, lead_id, planned_at, id) where due_at is not null`,
    `create index automation_runs_for_rule on automation_runs (account_id, rule_id) where due_at is not null`,
    `create index automation_runs_of_rule on automation_runs (account_id, rule_id, id)`,
    `create index automation_runs_of_lead on automation_runs (account_id, lead_id, id)`,
    `create index automation_runs_of_pipeline on automation_runs (account_id, pipeline_id, id)`,
    `create index automation_runs_ended on automation_runs (ended_at) where ended_at is not null`,
  ],
}
