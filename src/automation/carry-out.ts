import type { Context } from '../context.ts'
import type { Tx } from '../db/database.ts'
import type { AutomationRunRow, EntityRow } from '../db/tables.ts'
import { lockRecords } from '../entities/entities.ts'
import { Refusal } from '../errors.ts'
import type { Action, ActionType } from './action-schemas.ts'
import { actions, type Outcome } from './actions.ts'
import { findMissing, loadReferences } from './references.ts'
import { robotOf } from './robot.ts'
import { type RuleOfAccount, ruleById } from './rule-queries.ts'
import { earlierDue, lockRun, updateRuns } from './run-queries.ts'
import type { SkipReason } from './run-types.ts'

/** Seconds until a run looks again whether the one before it has ended. */
const SOON = 1

/**
 * Carries out a leased run. Its effect and its outcome are one transaction, so a run is neither lost nor repeated when
 * the process is killed. Locks the lead before the run, as the writers of leads do. A refusal of the change is an outcome.
 * Returns it; null if the run could not act now.
 */
export async function carryOut(ctx: Context, leased: AutomationRunRow): Promise<Outcome | null> {
  try {
    return await ctx.db.transaction().execute(async (tx) => {
      const lead = await lockLead(tx, leased)
      const run = await stillLeased(tx, leased)
      if (!run) return null
      if ((await earlierDue(tx, run)).length > 0) {
        await updateRuns(tx, [{ ...idOf(run), due_at: ctx.now() + SOON, lease: null }])
        return null
      }
      const outcome = await act(ctx, tx, run, lead)
      await end(ctx, tx, run, outcome)
      return outcome
    })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const detail = [error.message, error.faults[0]?.detail].filter(Boolean).join(': ')
    const outcome = { state: 'failed', reason: 'refused_change', result: { detail } } as const
    await fail(ctx, leased, outcome)
    return outcome
  }
}

/** Ends a run that cannot be carried out. */
export async function fail(ctx: Context, leased: AutomationRunRow, outcome: Outcome): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    const run = await stillLeased(tx, leased)
    if (run) await end(ctx, tx, run, outcome)
  })
}

/** Makes a run due at a time, if this process still has it. */
export async function putOff(
  ctx: Context,
  leased: AutomationRunRow,
  due_at: number,
  failures = leased.failures,
): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    const run = await stillLeased(tx, leased)
    if (run) await updateRuns(tx, [{ ...idOf(run), due_at, failures, lease: null }])
  })
}

async function act(
  ctx: Context,
  tx: Tx,
  run: AutomationRunRow,
  lead: EntityRow | undefined,
): Promise<Outcome> {
  const [rule] = await ruleById(tx, { account_id: run.account_id, id: run.rule_id })
  const ready = readyOf(run, rule, lead)
  if (typeof ready === 'string') return { state: 'skipped', reason: ready }
  const action = JSON.parse(ready.rule.action) as Action
  const references = await loadReferences(tx, run.account_id)
  const named =
    action.type === 'create_task' && action.responsible_user_id === undefined
      ? { ...action, responsible_user_id: ready.lead.responsible_user_id }
      : action
  const missing = findMissing(named, run.pipeline_id, references)
  if (missing) return { state: 'failed', reason: missing.thing }
  const actor = robotOf(run, ready.rule)
  return actions[action.type as ActionType]({ ctx, tx, actor, run, action, lead: ready.lead })
}

/** The rule and the lead of a run that may act now, or why it must not. */
function readyOf(
  { stays, pipeline_id, status_id }: AutomationRunRow,
  rule: RuleOfAccount | undefined,
  lead: EntityRow | undefined,
): { rule: RuleOfAccount; lead: EntityRow } | SkipReason {
  if (!rule) return 'rule_removed'
  if (rule.is_enabled === 0) return 'rule_disabled'
  if (lead?.is_deleted !== 0) return 'lead_deleted'
  const isThere = lead.pipeline_id === pipeline_id && lead.status_id === status_id
  return stays === 1 && !isThere ? 'left' : { rule, lead }
}

async function lockLead(tx: Tx, { account_id, lead_id }: AutomationRunRow): Promise<EntityRow | undefined> {
  return (await lockRecords(tx, account_id, [{ entity_type: 'leads', id: lead_id }])).get(lead_id)
}

/** The run, locked, unless it has ended or another process has leased it since. */
async function stillLeased(tx: Tx, leased: AutomationRunRow): Promise<AutomationRunRow | undefined> {
  const [run] = await lockRun(tx, leased)
  return run?.due_at != null && run.lease === leased.lease ? run : undefined
}

async function end(
  ctx: Context,
  tx: Tx,
  run: AutomationRunRow,
  { state, reason, result = {} }: Outcome,
): Promise<void> {
  const ended = { due_at: null, lease: null, ended_at: state === 'sending' ? null : ctx.now() }
  const outcome = { state, reason: reason ?? null, result: JSON.stringify(result) }
  await updateRuns(tx, [{ ...idOf(run), ...outcome, ...ended }])
}

const idOf = ({ account_id, id }: AutomationRunRow) => ({ account_id, id })
