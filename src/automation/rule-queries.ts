import { accountSubdomain } from '../accounts/accounts.ts'
import type { Db, Tx } from '../db/database.ts'
import { isOneOf } from '../db/dialect.ts'
import { prepared, referenceData } from '../db/prepared.ts'
import { deleteRows, insertRows, replaceRows } from '../db/row-sets.ts'
import type { AutomationRuleRow } from '../db/tables.ts'
import type { Action } from './action-schemas.ts'

/** The rules of stages by the ids of these, in their order. By automation_rules_by_stage. */
export const rulesOfStages = referenceData((db, at: { account_id: number; statuses: number[] }) =>
  db
    .selectFrom('automation_rules')
    .selectAll()
    .where('account_id', '=', at.account_id)
    .where((eb) => isOneOf(db, eb.ref('status_id'), at.statuses))
    .orderBy('id'),
)

/** A rule, and the subdomain of its account. */
export const ruleById = prepared((db, at: { account_id: number; id: number }) =>
  db
    .selectFrom('automation_rules as rule')
    .selectAll('rule')
    .select(accountSubdomain(db, 'rule.account_id').as('subdomain'))
    .where('rule.account_id', '=', at.account_id)
    .where('rule.id', '=', at.id),
)
export type RuleOfAccount = AutomationRuleRow & { subdomain: string }

/** The rules of a pipeline, or of one of its stages, in their order. */
export function rulesOfPipeline(
  db: Db,
  account_id: number,
  pipeline_id: number,
  status_id: number | null = null,
): Promise<AutomationRuleRow[]> {
  return db
    .selectFrom('automation_rules')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('pipeline_id', '=', pipeline_id)
    .$if(status_id !== null, (query) => query.where('status_id', '=', status_id as number))
    .orderBy('id')
    .execute()
}

/** The rules of an account whose action sends a request: to a URL, or to the widget with a code. */
export async function callingRules(db: Db, account_id: number): Promise<{ id: number; callee: string }[]> {
  const rows = await db
    .selectFrom('automation_rules')
    .select(['id', 'action'])
    .where('account_id', '=', account_id)
    .orderBy('id')
    .execute()
  return rows.flatMap(({ id, action }) => {
    const { url, code } = JSON.parse(action) as Action
    const callee = url ?? code
    return callee === undefined ? [] : [{ id, callee }]
  })
}

export const insertRules = (tx: Tx, rows: AutomationRuleRow[]): Promise<void> =>
  insertRows(tx, 'automation_rules', rows)

export const replaceRule = (tx: Tx, row: AutomationRuleRow): Promise<void> =>
  replaceRows(tx, 'automation_rules', ['account_id', 'id'], [row])

export const deleteRules = (tx: Tx, rows: readonly AutomationRuleRow[]): Promise<void> =>
  deleteRows(
    tx,
    'automation_rules',
    rows.map(({ account_id, id }) => ({ account_id, id })),
  )
