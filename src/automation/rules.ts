import { isDeepStrictEqual } from 'node:util'
import { type Actor, auditAs, lockAccount, requireAdmin } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import type { Db, Tx } from '../db/database.ts'
import { nextIds } from '../db/dialect.ts'
import type { AutomationRuleRow } from '../db/tables.ts'
import { collectFaults, notAChoice, Refusal } from '../errors.ts'
import type { Action } from './action-schemas.ts'
import { loadReferences, type References } from './references.ts'
import { checkActions, onlyOwn } from './rule-drafts.ts'
import { deleteRules, insertRules, replaceRule, rulesOfPipeline } from './rule-queries.ts'
import { lockWaitingOf, updateRuns } from './run-queries.ts'
import type { AutomationPatch, NewAutomation } from './schemas.ts'

/** Rules of all stages of a pipeline. */
export const MOST_RULES = 50

/** A rule, and what can be named in its account. */
export interface ListedRule {
  row: AutomationRuleRow
  references: References
}

/** The rules of a pipeline in their order, for administrators. */
export async function listRules(ctx: Context, actor: Actor, pipeline_id: number): Promise<ListedRule[]> {
  requireAdmin(actor)
  const references = await referencesFor(ctx.db, actor, pipeline_id)
  const rows = await rulesOfPipeline(ctx.db, actor.account_id, pipeline_id)
  return rows.map((row) => ({ row, references }))
}

export async function readRule(
  ctx: Context,
  actor: Actor,
  pipeline_id: number,
  id: number,
): Promise<ListedRule> {
  return pick(await listRules(ctx, actor, pipeline_id), id)
}

function pick(rules: readonly ListedRule[], id: number): ListedRule {
  const found = rules.find(({ row }) => row.id === id)
  if (!found) throw new Refusal('not_found', 'There is no such automation in this pipeline.')
  return found
}

/** Adds all rules or none. */
export function addRules(
  ctx: Context,
  actor: Actor,
  pipeline_id: number,
  drafts: readonly NewAutomation[],
): Promise<ListedRule[]> {
  return administrate(ctx, actor, pipeline_id, async (tx, references) => {
    const { account_id, user_id } = actor
    const named = drafts.map((draft, i) => ({
      ...{ pipeline_id, status_id: draft.status_id, action: draft.action },
      request_id: String(draft.request_id ?? i),
    }))
    requireStages(named, references)
    checkActions(named, references)
    const before = await rulesOfPipeline(tx, account_id, pipeline_id)
    if (before.length + drafts.length > MOST_RULES)
      throw new Refusal('conflict', `A pipeline can have at most ${MOST_RULES} automations.`, {
        code: 'automation_limit',
      })
    const ids = await nextIds(tx, 'automation_rules', drafts.length)
    const now = ctx.now()
    const rows = drafts.map(
      (draft, i): AutomationRuleRow => ({
        ...{ account_id, id: ids[i] as number, pipeline_id, status_id: draft.status_id },
        entry: draft.entry ?? 'entered',
        delay: draft.delay ?? 0,
        action: JSON.stringify(onlyOwn(draft.action)),
        is_enabled: draft.is_enabled === false ? 0 : 1,
        ...{ created_by: user_id, updated_by: user_id, created_at: now, updated_at: now },
      }),
    )
    await insertRules(tx, rows)
    await auditAs(ctx, tx, actor, 'automation.added', ...rows.map(about))
    return rows.map((row) => ({ row, references }))
  })
}

function requireStages(
  drafts: readonly { pipeline_id: number; status_id: number; request_id: string }[],
  { stages }: References,
): void {
  const { about, refuse } = collectFaults()
  for (const { pipeline_id, status_id, request_id } of drafts)
    if (!stages.has(pipeline_id, status_id))
      about(request_id)('NotSupportedChoice', 'status_id', notAChoice(stages.ids(pipeline_id)))
  refuse()
}

/** Changes the given members. Waiting runs follow the rule as it is when they are due. */
export function changeRule(
  ctx: Context,
  actor: Actor,
  pipeline_id: number,
  id: number,
  { entry, delay, action, is_enabled }: AutomationPatch,
): Promise<ListedRule> {
  return administrate(ctx, actor, pipeline_id, async (tx, references) => {
    const rows = await rulesOfPipeline(tx, actor.account_id, pipeline_id)
    const { row: before } = pick(
      rows.map((row) => ({ row, references })),
      id,
    )
    if (action) checkActions([{ ...before, action, request_id: '0' }], references)
    const changes = {
      ...(entry !== undefined && { entry }),
      ...(delay !== undefined && { delay }),
      ...(action && { action: JSON.stringify(onlyOwn(action)) }),
      ...(is_enabled !== undefined && { is_enabled: is_enabled ? (1 as const) : (0 as const) }),
    }
    const row: AutomationRuleRow = { ...before, ...changes }
    if (isDeepStrictEqual(row, before)) return { row: before, references }
    Object.assign(row, { updated_by: actor.user_id, updated_at: ctx.now() })
    await replaceRule(tx, row)
    const names = Object.keys(changes) as (keyof typeof changes)[]
    const changed = names.filter((name) => row[name] !== before[name])
    await auditAs(ctx, tx, actor, 'automation.changed', { ...about(row), changed })
    return { row, references }
  })
}

/** Removes a rule. Its waiting runs are skipped; its past runs stay. */
export async function removeRule(ctx: Context, actor: Actor, pipeline_id: number, id: number): Promise<void> {
  await administrate(ctx, actor, pipeline_id, async (tx, references) => {
    const rows = await rulesOfPipeline(tx, actor.account_id, pipeline_id)
    const { row } = pick(
      rows.map((row) => ({ row, references })),
      id,
    )
    await removeRows(ctx, tx, actor, [row])
  })
}

/** Removes the rules of a stage that is being deleted, or of a whole pipeline. */
export const removeRulesOf =
  (ctx: Context) =>
  async (tx: Tx, actor: Actor, pipeline_id: number, status_id: number | null): Promise<void> => {
    await removeRows(ctx, tx, actor, await rulesOfPipeline(tx, actor.account_id, pipeline_id, status_id))
  }

async function removeRows(
  ctx: Context,
  tx: Tx,
  actor: Actor,
  rows: readonly AutomationRuleRow[],
): Promise<void> {
  if (rows.length === 0) return
  await deleteRules(tx, rows)
  const waiting = await lockWaitingOf(
    tx,
    actor.account_id,
    rows.map(({ id }) => id),
  )
  const ended = { state: 'skipped', reason: 'rule_removed', due_at: null, lease: null, ended_at: ctx.now() }
  await updateRuns(
    tx,
    waiting.map((run) => ({ ...run, ...ended })),
  )
  await auditAs(ctx, tx, actor, 'automation.removed', ...rows.map(about))
}

/** The details of a rule in the audit log. The address of a call is not named: it can be a secret. */
const about = ({ id, pipeline_id, action }: AutomationRuleRow) => ({
  id,
  pipeline_id,
  name: (JSON.parse(action) as Action).type,
})

/** Changes of settings run one after the other, so that the number of rules stays within its limit. */
function administrate<T>(
  ctx: Context,
  actor: Actor,
  pipeline_id: number,
  change: (tx: Tx, references: References) => Promise<T>,
): Promise<T> {
  requireAdmin(actor)
  return ctx.db.transaction().execute(async (tx) => {
    await lockAccount(tx, actor.account_id)
    return change(tx, await referencesFor(tx, actor, pipeline_id))
  })
}

async function referencesFor(db: Db, { account_id }: Actor, pipeline_id: number): Promise<References> {
  const references = await loadReferences(db, account_id)
  if (!references.stages.hasPipeline(pipeline_id))
    throw new Refusal('not_found', 'Pipeline not found in this account.')
  return references
}
