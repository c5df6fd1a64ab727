import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import { accountSubdomain } from '../accounts/accounts.ts'
import { NO_ACCOUNT, readInBackground } from '../db/background-reads.ts'
import type { Db, Tx } from '../db/database.ts'
import { forUpdate, forUpdateSkipLocked, isOneOf } from '../db/dialect.ts'
import { type CausedIn, type Found, lastIdBefore } from '../db/ids-by-time.ts'
import { prepared } from '../db/prepared.ts'
import { deleteRows, insertRows, updateRows } from '../db/row-sets.ts'
import type { AutomationRunRow, Tables } from '../db/tables.ts'

export type RunId = Pick<AutomationRunRow, 'account_id' | 'id'>

export const insertRuns = (tx: Tx, rows: AutomationRunRow[]): Promise<void> =>
  insertRows(tx, 'automation_runs', rows)

/** Changes runs. All changes have the same members. */
export const updateRuns = (tx: Tx, rows: readonly (RunId & Partial<AutomationRunRow>)[]): Promise<void> =>
  updateRows(tx, 'automation_runs', ['account_id', 'id'], rows)

export const lockRun = prepared((db, { account_id, id }: RunId) =>
  db
    .selectFrom('automation_runs')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .modifyEnd(forUpdate(db)),
)

/** A run, and the subdomain of its account. */
export const runOfAccount = prepared((db, { account_id, id }: RunId) =>
  db
    .selectFrom('automation_runs as run')
    .selectAll('run')
    .select(accountSubdomain(db, 'run.account_id').as('subdomain'))
    .where('run.account_id', '=', account_id)
    .where('run.id', '=', id),
)

/** The waiting runs of these leads that end when the lead leaves its stage, locked. By automation_runs_waiting. */
export const lockStaying = prepared((db, at: { account_id: number; leads: number[] }) =>
  db
    .selectFrom('automation_runs')
    .select(['account_id', 'id'])
    .where('account_id', '=', at.account_id)
    .where((eb) => isOneOf(db, eb.ref('lead_id'), at.leads))
    .where('due_at', 'is not', null)
    .where('stays', '=', 1)
    .orderBy('id')
    .modifyEnd(forUpdate(db)),
)

/**
 * The waiting runs of these rules, locked. Those that are being carried out are skipped: they end now, or find that their
 * rule is gone. By automation_runs_for_rule.
 */
export function lockWaitingOf(tx: Tx, account_id: number, rules: readonly number[]): Promise<RunId[]> {
  return tx
    .selectFrom('automation_runs')
    .select(['account_id', 'id'])
    .where('account_id', '=', account_id)
    .where((eb) => isOneOf(tx, eb.ref('rule_id'), rules))
    .where('due_at', 'is not', null)
    .orderBy('id')
    .modifyEnd(forUpdateSkipLocked(tx))
    .execute()
}

/** Whether an earlier run of the lead is due, which has to act first. By automation_runs_waiting. */
export const earlierDue = prepared(
  (db, at: { account_id: number; lead_id: number; planned_at: number; id: number }) =>
    db
      .selectFrom('automation_runs')
      .select('id')
      .where('account_id', '=', at.account_id)
      .where('lead_id', '=', at.lead_id)
      .where('due_at', 'is not', null)
      .where((eb) =>
        eb.or([
          eb('planned_at', '<', at.planned_at),
          eb.and([eb('planned_at', '=', at.planned_at), eb('id', '<', at.id)]),
        ]),
      )
      .limit(1),
)

const isDue =
  (now: number) =>
  (eb: ExpressionBuilder<Tables, 'automation_runs'>): Expression<SqlBool> =>
    eb.and([eb('due_at', 'is not', null), eb('due_at', '<=', now)])

/** The account of the run that is due for the longest time, without these accounts. By automation_runs_due. */
export async function nextAccount(db: Db, now: number, not: readonly number[]): Promise<number | undefined> {
  const row = await db
    .selectFrom('automation_runs')
    .select('account_id')
    .where(isDue(now))
    .where((eb) => eb.not(isOneOf(db, eb.ref('account_id'), not)))
    .orderBy('due_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return row?.account_id
}

/** Leases the due runs of an account, in their order. Skips those that another process is leasing. */
export async function claimRuns(
  tx: Tx,
  account_id: number,
  { now, until, lease, limit }: { now: number; until: number; lease: string; limit: number },
): Promise<AutomationRunRow[]> {
  const rows = await tx
    .selectFrom('automation_runs')
    .selectAll()
    .where('account_id', '=', account_id)
    .where(isDue(now))
    .orderBy('due_at')
    .orderBy('id')
    .limit(limit)
    .modifyEnd(forUpdateSkipLocked(tx))
    .execute()
  await updateRuns(
    tx,
    rows.map(({ account_id, id }) => ({ account_id, id, due_at: until, lease })),
  )
  const byTime = (a: AutomationRunRow, b: AutomationRunRow) => a.planned_at - b.planned_at || a.id - b.id
  return rows.map((row) => ({ ...row, lease })).sort(byTime)
}

/** Ends all leases, so that their runs are due. */
export async function endLeases(tx: Tx, now: number): Promise<void> {
  await tx
    .updateTable('automation_runs')
    .set({ due_at: now, lease: null })
    .where('due_at', 'is not', null)
    .where('lease', 'is not', null)
    .execute()
}

/** The number of runs that are due, of all accounts. By automation_runs_due. */
export async function countDue(db: Db, now: number): Promise<{ runs: number; oldest: number | null }> {
  const query = db
    .selectFrom('automation_runs')
    .select((eb) => [eb.fn.countAll<number>().as('runs'), eb.fn.min<number | null>('due_at').as('oldest')])
    .where(isDue(now))
  const [counted] = await readInBackground(db, NO_ACCOUNT, query)
  return counted ?? { runs: 0, oldest: null }
}

export interface RunFilter {
  pipeline_id: number
  rule_id: number | null
  lead_id: number | null
}

/** The runs of a pipeline, the latest first: of all rules, of one, or about one lead. By the index of the narrowest. */
export function listRunRows(
  db: Db,
  account_id: number,
  { pipeline_id, rule_id, lead_id }: RunFilter,
  page: { before: number | null; offset: number; limit: number },
): Promise<AutomationRunRow[]> {
  return db
    .selectFrom('automation_runs')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('pipeline_id', '=', pipeline_id)
    .$if(rule_id !== null, (query) => query.where('rule_id', '=', rule_id as number))
    .$if(lead_id !== null, (query) => query.where('lead_id', '=', lead_id as number))
    .$if(page.before !== null, (query) => query.where('id', '<', page.before as number))
    .orderBy('id', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .execute()
}

/** Some of the runs of all accounts that ended before a time. By automation_runs_ended. */
export const selectEnded = (db: Db, before: number, limit: number): Promise<RunId[]> =>
  db
    .selectFrom('automation_runs')
    .select(['account_id', 'id'])
    .where('ended_at', 'is not', null)
    .where('ended_at', '<', before)
    .limit(limit)
    .execute()

export const deleteRuns = (tx: Tx, ids: readonly RunId[]): Promise<void> =>
  deleteRows(tx, 'automation_runs', ids)

/** Ids of runs that are read. Runs have no index by request (Q8). */
const MOST_READ = 50_000

/** The runs that some causes queued in a part of time: a range of the primary key, found by its times. */
export async function runsCausedIn(
  db: Db,
  { account_id, names, from, to }: CausedIn,
  limit: number,
): Promise<Found<AutomationRunRow>> {
  const runs = db.selectFrom('automation_runs').where('account_id', '=', account_id)
  const newest = await runs.select('id').orderBy('id', 'desc').limit(1).executeTakeFirst()
  const after = (id: number) =>
    runs.select(['id', 'created_at']).where('id', '>', id).orderBy('id').limit(1).executeTakeFirst()
  const low = await lastIdBefore(Math.floor(from / 1000), newest?.id ?? 0, after)
  const last = await lastIdBefore(Math.floor(to / 1000) + 1, newest?.id ?? 0, after)
  const high = Math.min(last, low + MOST_READ)
  const rows = await runs
    .selectAll()
    .where('id', '>', low)
    .where('id', '<=', high)
    .where((eb) => isOneOf(db, eb.ref('request_id'), names))
    .orderBy('id')
    .limit(limit + 1)
    .execute()
  return { rows: rows.slice(0, limit), is_cut: last > high || rows.length > limit }
}

/** A run of an account; undefined if there is none, because it ended more than 30 days ago. */
export const findRun = (db: Db, { account_id, id }: RunId): Promise<AutomationRunRow | undefined> =>
  db
    .selectFrom('automation_runs')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .executeTakeFirst()
