import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import type { Db, Tx } from '../db/database.ts'
import { forUpdate, forUpdateSkipLocked, isOneOf } from '../db/dialect.ts'
import { deleteRows, insertRows, replaceRows } from '../db/row-sets.ts'
import type { JobRecordRow, JobRow, Tables } from '../db/tables.ts'
import type { OutcomeName } from './outcomes.ts'

/** Seconds after which a process that does not come back is taken for dead. Each batch begins them anew. */
export const LEASE_SECONDS = 15
/** Seconds until a job that met a fault is taken up again. */
export const PUT_OFF_SECONDS = 30
const LONGEST_WAIT_SECONDS = Math.max(LEASE_SECONDS, PUT_OFF_SECONDS)

export const insertJob = (tx: Tx, row: JobRow): Promise<void> => insertRows(tx, 'jobs', [row])

export const insertJobRows = (tx: Tx, rows: JobRecordRow[]): Promise<void> => insertRows(tx, 'job_rows', rows)

/** Writes what became of rows. */
export const replaceJobRows = (tx: Tx, rows: JobRecordRow[]): Promise<void> =>
  replaceRows(tx, 'job_rows', ['account_id', 'job_id', 'position'], rows)

type JobId = Pick<JobRow, 'account_id' | 'id'>

export function findJob(db: Db, { account_id, id }: JobId): Promise<JobRow | undefined> {
  return db
    .selectFrom('jobs')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .executeTakeFirst()
}

export function lockJob(tx: Tx, { account_id, id }: JobId): Promise<JobRow | undefined> {
  return tx
    .selectFrom('jobs')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .modifyEnd(forUpdate(tx))
    .executeTakeFirst()
}

export async function updateJob(tx: Tx, { account_id, id }: JobId, change: Partial<JobRow>): Promise<void> {
  await tx.updateTable('jobs').set(change).where('account_id', '=', account_id).where('id', '=', id).execute()
}

/** The newest jobs first; of one person, or of all. */
export function listJobs(
  db: Db,
  account_id: number,
  of: { created_by: number | null; state: readonly string[]; before: number | null; limit: number },
): Promise<JobRow[]> {
  return db
    .selectFrom('jobs')
    .selectAll()
    .where('account_id', '=', account_id)
    .$if(of.created_by !== null, (query) => query.where('created_by', '=', of.created_by as number))
    .$if(of.state.length > 0, (query) => query.where('state', 'in', of.state))
    .$if(of.before !== null, (query) => query.where('id', '<', of.before as number))
    .orderBy('id', 'desc')
    .limit(of.limit)
    .execute()
}

/** How many of an account's jobs are in these states. */
export async function countJobs(db: Db, account_id: number, state: readonly string[]): Promise<number> {
  const { jobs } = await db
    .selectFrom('jobs')
    .select((eb) => eb.fn.countAll<number>().as('jobs'))
    .where('account_id', '=', account_id)
    .where('state', 'in', state)
    .executeTakeFirstOrThrow()
  return Number(jobs)
}

/** Due: its time has come, or lies further ahead than any may, having been stored while the clock was ahead. */
const isDue =
  (now: number) =>
  (eb: ExpressionBuilder<Tables, 'jobs'>): Expression<SqlBool> =>
    eb.or([eb('due_at', '<=', now), eb('due_at', '>', now + LONGEST_WAIT_SECONDS)])

/**
 * The job that has waited longest, leased under this name; what another process has just taken is passed over, and so are
 * the accounts named.
 */
export async function claimJob(
  tx: Tx,
  { now, until, lease, not }: { now: number; until: number; lease: string; not: number[] },
): Promise<JobRow | undefined> {
  const job = await tx
    .selectFrom('jobs')
    .selectAll()
    .where('due_at', 'is not', null)
    .where(isDue(now))
    .where((eb) => eb.not(isOneOf(tx, eb.ref('account_id'), not)))
    .orderBy('due_at')
    .orderBy('id')
    .limit(1)
    .modifyEnd(forUpdateSkipLocked(tx))
    .executeTakeFirst()
  if (!job) return undefined
  await updateJob(tx, job, { due_at: until, lease })
  return { ...job, due_at: until, lease }
}

/** Whether another account has a job that waits. By jobs_due. */
export async function hasDueBeside(db: Db, account_id: number, now: number): Promise<boolean> {
  const job = await db
    .selectFrom('jobs')
    .select('id')
    .where('due_at', 'is not', null)
    .where(isDue(now))
    .where('account_id', '!=', account_id)
    .limit(1)
    .executeTakeFirst()
  return job !== undefined
}

/** Jobs that are to be done, of all accounts: without a lease they wait. By jobs_due. */
export async function unfinishedJobs(db: Db): Promise<{ waiting: number; running: number }> {
  const { all, running } = await db
    .selectFrom('jobs')
    .where('due_at', 'is not', null)
    .select((eb) => [eb.fn.countAll<number>().as('all'), eb.fn.count<number>('lease').as('running')])
    .executeTakeFirstOrThrow()
  return { waiting: all - running, running }
}

/** Makes everything due at once that is leased. */
export async function endLeases(tx: Tx, now: number): Promise<void> {
  await tx
    .updateTable('jobs')
    .set({ due_at: now, lease: null })
    .where('due_at', 'is not', null)
    .where('lease', 'is not', null)
    .execute()
}

/** Rows of a bulk change that are still to be done, in their order. */
export function rowsAfter(
  db: Db,
  { account_id, id }: JobId,
  after: number,
  limit: number,
): Promise<JobRecordRow[]> {
  return db
    .selectFrom('job_rows')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('job_id', '=', id)
    .where('position', '>', after)
    .orderBy('position')
    .limit(limit)
    .execute()
}

/** Rows of which this came, or that were written with a warning; the last ones first or the first. Each by its index. */
export function rowsWith(
  db: Db,
  { account_id, id }: JobId,
  what: OutcomeName | 'warned',
  page: { direction: 'asc' | 'desc'; after: number | null; limit: number },
): Promise<JobRecordRow[]> {
  const { direction, after, limit } = page
  return db
    .selectFrom('job_rows')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('job_id', '=', id)
    .where((eb) => (what === 'warned' ? eb('has_warning', '=', sql.lit(1)) : eb('outcome', '=', what)))
    .$if(after !== null, (query) => query.where('position', direction === 'asc' ? '>' : '<', after as number))
    .orderBy('position', direction)
    .limit(limit)
    .execute()
}

/** Jobs that nobody has touched since, of one of these states. */
export function jobsUntouchedSince(
  db: Db,
  before: number,
  state: readonly string[],
  limit: number,
): Promise<JobRow[]> {
  return db
    .selectFrom('jobs')
    .selectAll()
    .where('updated_at', '<', before)
    .where('state', 'in', state)
    .orderBy('updated_at')
    .limit(limit)
    .execute()
}

/** Takes some rows of a job away, and answers whether there may be more. */
export async function deleteSomeRows(tx: Tx, job: JobId, limit: number): Promise<boolean> {
  const rows = await rowsAfter(tx, job, 0, limit)
  await deleteRows(
    tx,
    'job_rows',
    rows.map(({ account_id, job_id, position }) => ({ account_id, job_id, position })),
  )
  return rows.length === limit
}

export async function deleteJob(tx: Tx, { account_id, id }: JobId): Promise<void> {
  await tx.deleteFrom('jobs').where('account_id', '=', account_id).where('id', '=', id).execute()
}
