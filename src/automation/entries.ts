import type { Context, EntryCause, LeadsEntered, StageEntry } from '../context.ts'
import type { Tx } from '../db/database.ts'
import { nextIds } from '../db/dialect.ts'
import type { AutomationRuleRow, AutomationRunRow } from '../db/tables.ts'
import type { Action } from './action-schemas.ts'
import { rulesOfStages } from './rule-queries.ts'
import { insertRuns, lockStaying, updateRuns } from './run-queries.ts'
import type { SkipReason } from './run-types.ts'

/** The longest chain of rules that cause each other (Y3). */
export const LONGEST_CHAIN = 20

/**
 * Queues a run for each rule of the stages that these leads entered, and ends those that waited in the stages that they
 * left. It is one query if no rule belongs to these stages. The caller has locked the leads.
 */
export const leadsEntered: LeadsEntered = async (ctx, tx, by, entries) => {
  if (entries.length === 0) return
  const { account_id } = by
  const statuses = entries.flatMap(({ status_id, from }) =>
    from ? [status_id, from.status_id] : [status_id],
  )
  const rules = await rulesOfStages(tx, { account_id, statuses: [...new Set(statuses)] })
  if (rules.length === 0) return
  const byStage = Map.groupBy(rules, nameOf)
  const left = entries.filter(({ from }) => from && byStage.has(nameOf(from)))
  await endStays(ctx, tx, account_id, left)
  const caused = entries.flatMap((entry) =>
    (byStage.get(nameOf(entry)) ?? []).flatMap((rule) => (isFor(rule, entry) ? [{ rule, entry }] : [])),
  )
  if (caused.length === 0) return
  const ids = await nextIds(tx, 'automation_runs', caused.length)
  const rows = caused.map(({ rule, entry }, i) => newRun(ctx, by, ids[i] as number, rule, entry))
  await insertRuns(tx, rows)
  ctx.rules_due.ringAfterCommit()
}

const nameOf = ({ pipeline_id, status_id }: { pipeline_id: number; status_id: number }): string =>
  `${pipeline_id} ${status_id}`

function isFor({ entry, is_enabled }: AutomationRuleRow, { from }: StageEntry): boolean {
  if (is_enabled === 0) return false
  return entry === 'entered' || (entry === 'created') === (from === null)
}

async function endStays(
  ctx: Context,
  tx: Tx,
  account_id: number,
  left: readonly StageEntry[],
): Promise<void> {
  if (left.length === 0) return
  const runs = await lockStaying(tx, { account_id, leads: left.map(({ lead_id }) => lead_id) })
  const ended = { state: 'skipped', reason: 'left', due_at: null, lease: null, ended_at: ctx.now() }
  await updateRuns(
    tx,
    runs.map((run) => ({ ...run, ...ended })),
  )
}

function newRun(
  ctx: Context,
  { account_id, request_id, chain = [] }: EntryCause,
  id: number,
  rule: AutomationRuleRow,
  { lead_id, pipeline_id, status_id, from }: StageEntry,
): AutomationRunRow {
  const { type } = JSON.parse(rule.action) as Action
  const now = ctx.now()
  const planned_at = now + rule.delay
  const reason = loopIn(chain, rule.id)
  return {
    ...{ account_id, id, rule_id: rule.id, action: type, lead_id, pipeline_id, status_id },
    old_pipeline_id: from?.pipeline_id ?? null,
    old_status_id: from?.status_id ?? null,
    chain: JSON.stringify(chain),
    // A lead that has been moved on must not be moved again from where it is.
    stays: rule.delay > 0 || type === 'change_stage' ? 1 : 0,
    ...{ state: reason ? 'skipped' : 'waiting', reason, result: '{}', planned_at },
    due_at: reason ? null : planned_at,
    ...{ lease: null, failures: 0, request_id, created_at: now, ended_at: reason ? now : null },
    trace_context: ctx.traces.of(request_id),
  }
}

/** Why a rule must not act again after these rules. */
function loopIn(chain: readonly number[], rule_id: number): SkipReason | null {
  if (chain.includes(rule_id)) return 'loop'
  return chain.length >= LONGEST_CHAIN ? 'too_long' : null
}
