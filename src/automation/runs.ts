import { type Actor, requireAdmin } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import type { AutomationRunRow } from '../db/tables.ts'
import { recordNames } from '../entities/entities.ts'
import { Refusal } from '../errors.ts'
import { type ListedDelivery, latestOfSubjects } from '../outbound/history.ts'
import { findStages } from '../pipelines/pipelines.ts'
import type { Action, ActionType } from './action-schemas.ts'
import type { Outcome } from './actions.ts'
import { findMissing } from './references.ts'
import type { ListedRule } from './rules.ts'
import { listRunRows, type RunFilter } from './run-queries.ts'
import type { Automation, AutomationRun } from './schemas.ts'
import { KIND } from './url-call.ts'

/** The types of actions that queue deliveries. */
const CALLS: ReadonlySet<string> = new Set<ActionType>(['call_url', 'call_widget'])

/** A page of the runs of a pipeline, the latest first, for administrators. They are kept for 30 days. */
export async function listRuns(
  ctx: Context,
  actor: Actor,
  filter: RunFilter,
  page: { before: number | null; offset: number; limit: number },
): Promise<{ runs: AutomationRun[]; hasNext: boolean }> {
  requireAdmin(actor)
  const { account_id } = actor
  if (!(await findStages(ctx.db, account_id)).hasPipeline(filter.pipeline_id))
    throw new Refusal('not_found', 'Pipeline not found in this account.')
  const found = await listRunRows(ctx.db, account_id, filter, { ...page, limit: page.limit + 1 })
  const rows = found.slice(0, page.limit)
  const names = await recordNames(ctx.db, account_id, 'lead', [
    ...new Set(rows.map(({ lead_id }) => lead_id)),
  ])
  const calls = rows.filter(({ action, state }) => CALLS.has(action) && state !== 'skipped')
  const subjects = calls.map(({ id }) => String(id))
  const deliveries = await latestOfSubjects(ctx.db, account_id, KIND, subjects)
  return {
    runs: rows.map((row) => runView(row, names.get(row.lead_id) ?? null, deliveries.get(String(row.id)))),
    hasNext: found.length > page.limit,
  }
}

function runView(
  row: AutomationRunRow,
  lead_name: string | null,
  called: ListedDelivery | undefined,
): AutomationRun {
  const { id, lead_id, pipeline_id, status_id, created_at, planned_at, ended_at } = row
  const { task_id, message_id, detail } = JSON.parse(row.result) as NonNullable<Outcome['result']>
  return {
    id,
    automation_id: row.rule_id,
    action: row.action as AutomationRun['action'],
    ...{ lead_id, lead_name, pipeline_id, status_id },
    state: row.state as AutomationRun['state'],
    reason: row.reason as AutomationRun['reason'],
    detail: detail ?? null,
    ...{ created_at, planned_at, ended_at },
    task_id: task_id ?? null,
    message_id: message_id ?? null,
    call: called ? callView(called) : null,
  }
}

const callView = ({ delivery, last }: ListedDelivery): AutomationRun['call'] => ({
  attempts: delivery.attempts,
  next_attempt_at: delivery.ended_at === null ? delivery.next_attempt_at : null,
  last_status: last?.status ?? null,
  last_error: last?.error ?? null,
})

/** A rule in a response; `href` is its address. */
export function ruleView({ row, references }: ListedRule, href: string): Automation {
  const { id, pipeline_id, status_id, entry, delay, created_by, updated_by, created_at, updated_at } = row
  const action = JSON.parse(row.action) as Action
  return {
    ...{ id, pipeline_id, status_id, entry, delay, action },
    is_enabled: row.is_enabled === 1,
    problem: findMissing(action, pipeline_id, references)?.thing ?? null,
    ...{ created_by, updated_by, created_at, updated_at },
    account_id: row.account_id,
    _links: { self: { href } },
  }
}
