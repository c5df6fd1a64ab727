import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'
import { forUpdate, forUpdateSkipLocked, isOneOf } from '../../db/dialect.ts'
import { deleteRows, insertRows, replaceRows } from '../../db/row-sets.ts'
import type { JobRecordRow, JobRow, Tables } from '../../db/tables.ts'
import type { OutcomeName } from './outcomes.ts'

/** Seconds after which a silent process counts as dead. Each batch renews the lease. */
export const LEASE_SECONDS = 15
/** Seconds until a job is resumed after an error. */
export const PUT_OFF_SECONDS = 30
/** Jobs of one request: a request starts or undoes one. */
const MOST_CAUSED = 20
const LONGEST_WAIT_SECONDS = Math.max(LEASE_SECONDS, PUT_OFF_SECONDS)

export const insertJob = (tx: Tx, row: JobRow): Promise<void> => insertRows(tx, 'jobs', [row])

export const insertJobRows = (tx: Tx, rows: JobRecordRow[]): Promise<void> => insertRows(tx, 'job_rows', rows)

/** Stores the outcomes of rows. */
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

/** Jobs of one person or all, newest first. */
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

/** The imports of an account that have not ended. An account has a limited number. */
export function importsInProgress(db: Db, account_id: number): Promise<Pick<JobRow, 'settings'>[]> {
  return db
    .selectFrom('jobs')
    .select('settings')
    .where('account_id', '=', account_id)
    .where('kind', '=', 'import')
    .where('finished_at', 'is', null)
    .execute()
}

/** The number of an account's jobs in these states. */
export async function countJobs(db: Db, account_id: number, state: readonly string[]): Promise<number> {
  const { jobs } = await db
    .selectFrom('jobs')
    .select((eb) => eb.fn.countAll<number>().as('jobs'))
    .where('account_id', '=', account_id)
    .where('state', 'in', state)
    .executeTakeFirstOrThrow()
  return Number(jobs)
}

/**
 * Whether a job is due: its time has come, or is later than any wait because the clock was ahead when it was stored.
 */
const isDue =
  (now: number) =>
  (eb: ExpressionBuilder<Tables, 'jobs'>): Expression<SqlBool> =>
    eb.or([eb('due_at', '<=', now), eb('due_at', '>', now + LONGEST_WAIT_SECONDS)])

/**
 * Leases the job that has waited longest under this name. Skips jobs that another process is leasing, and those of
 * these accounts.
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

/** Whether another account has a waiting job. By jobs_due. */
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

/** Unfinished jobs of all accounts. Jobs without a lease are waiting. By jobs_due. */
export async function unfinishedJobs(db: Db): Promise<{ waiting: number; running: number }> {
  const { all, running } = await db
    .selectFrom('jobs')
    .where('due_at', 'is not', null)
    .select((eb) => [eb.fn.countAll<number>().as('all'), eb.fn.count<number>('lease').as('running')])
    .executeTakeFirstOrThrow()
  return { waiting: all - running, running }
}

/** When the job was due that waits the longest; null if none waits. By jobs_due. */
export async function firstWaiting(db: Db): Promise<number | null> {
  const job = await db
    .selectFrom('jobs')
    .select('due_at')
    .where('due_at', 'is not', null)
    .where('lease', 'is', null)
    .orderBy('due_at')
    .limit(1)
    .executeTakeFirst()
  return job?.due_at ?? null
}

/** Ends all leases, so that their jobs are due. */
export async function endLeases(tx: Tx, now: number): Promise<void> {
  await tx
    .updateTable('jobs')
    .set({ due_at: now, lease: null })
    .where('due_at', 'is not', null)
    .where('lease', 'is not', null)
    .execute()
}

/** The remaining rows of a bulk change, in order. */
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

/** Rows with this outcome or with warnings, in either direction. Each case uses its own index. */
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

/** Jobs in these states that were not updated since this time. */
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

/** Deletes some rows of a job. Returns whether there may be more. */
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

/** The jobs of an account that some requests started or undid. An account has few jobs, so all of them are read. */
export function jobsCausedBy(db: Db, account_id: number, names: readonly string[]): Promise<JobRow[]> {
  return db
    .selectFrom('jobs')
    .selectAll()
    .where('account_id', '=', account_id)
    .where((eb) =>
      eb.or([
        isOneOf(db, eb.ref('request_id'), names) as Expression<SqlBool>,
        isOneOf(db, eb.ref('undo_request_id'), names) as Expression<SqlBool>,
      ]),
    )
    .orderBy('id')
    .limit(MOST_CAUSED)
    .execute()
}
