import { randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { Context } from '../context.ts'
import { isOutage } from '../db/failures.ts'
import type { JobRow } from '../db/tables.ts'
import { Refusal } from '../errors.ts'
import { createLeasedRunner, type LeasedRunner, retryOnContention } from '../leased-runner.ts'
import { exportWork, inTrace, type StoredWork } from '../tracing/stored-work.ts'
import { workOf } from './batches/batches.ts'
import { nameOfJob } from './batches/new-job.ts'
import {
  claimJob,
  endLeases,
  firstWaiting,
  hasDueBeside,
  LEASE_SECONDS,
  lockJob,
  PUT_OFF_SECONDS,
  unfinishedJobs,
  updateJob,
} from './batches/queries.ts'
import { dropFileIfEnded } from './imports/import-files.ts'

/** Batches of one job before another account has its turn. */
const TURN = 20
/** Consecutive errors without a batch that end a job. */
const MAX_FAULTS = 4
/** Seconds after which a job looks again whether the database or the store of files is back. */
const AWAY_SECONDS = 5

/**
 * Runs jobs one after the other. The next process continues the job of a dead one after the last committed batch, so
 * no row is processed twice or skipped.
 */
export function createJobRunner(ctx: Context): LeasedRunner {
  ctx.metrics.watch(
    'patchbay_jobs',
    'Imports and bulk changes that are not done yet, by state: waiting, running.',
    ctx.metrics.remembered(() => unfinishedJobs(ctx.db)),
    'state',
  )
  ctx.metrics.watch(
    'patchbay_jobs_overdue_seconds',
    'Time since the import or bulk change was due that waits the longest.',
    async () => {
      const due = await firstWaiting(ctx.db)
      return due === null ? 0 : Math.max(0, ctx.now() - due)
    },
  )
  const faults: Faults = new Map()
  return createLeasedRunner(ctx, {
    name: 'jobs',
    endLeases,
    serveNext: async (served, isStopping) => {
      const job = await claim(ctx, served)
      if (job) await run(ctx, job, faults, isStopping)
      return job?.account_id
    },
  })
}

/** Consecutive errors of jobs since their last batch, by id. A temporary error must not end a job. */
type Faults = Map<number, number>

function claim(ctx: Context, not: number[]): Promise<JobRow | undefined> {
  const now = ctx.now()
  return ctx.db
    .transaction()
    .execute((tx) => claimJob(tx, { now, until: now + LEASE_SECONDS, lease: randomUUID(), not }))
}

async function run(ctx: Context, job: JobRow, faults: Faults, isStopping: () => boolean): Promise<void> {
  const work = workOf(ctx, job)
  const log = { job: job.id, kind: job.kind, account_id: job.account_id }
  const traced = tracedOf(job)
  try {
    for (let batches = 1; !isStopping(); batches++) {
      const step = await retryOnContention(() => inTrace(ctx, traced, () => work.step()))
      faults.delete(job.id)
      if (step === 'ended') exportJob(ctx, job, null)
      if (step !== 'more') return ctx.log.info({ ...log, step }, 'a job has ended here')
      // Serve other requests between batches.
      await setImmediate()
      if (batches >= TURN && (await hasDueBeside(ctx.db, job.account_id, ctx.now()))) break
    }
    await release(ctx, job, ctx.now())
  } catch (error) {
    await handleFailure(ctx, job, faults, error)
  } finally {
    await work.close()
    await dropFileIfEnded(ctx, job)
  }
}

/** A job, or undoing it, with the request that caused it. */
function tracedOf(job: JobRow): StoredWork {
  const { state, request_id, undo_request_id, trace_context } = job
  const cause = state === 'undoing' ? undo_request_id : request_id
  return { name: nameOfJob(job), request_id: cause ?? '', trace_context }
}

/** Exports the span of a job from its start to its end. */
function exportJob(ctx: Context, job: JobRow, error: string | null): void {
  const isUndone = job.state === 'undoing'
  const from = 1000 * ((isUndone ? job.updated_at : job.started_at) ?? job.created_at)
  exportWork(ctx, tracedOf(job), {
    title: isUndone ? 'undo' : job.kind,
    ...{ from, to: Math.max(from, ctx.clock()) },
    attributes: {
      'patchbay.account_id': job.account_id,
      'patchbay.job_id': job.id,
      'patchbay.rows': job.total,
    },
    error,
  })
}

/** Whether the database or the store of files is away, or its disk is full. */
const isAway = (error: unknown): boolean =>
  error instanceof Refusal ? error.reason === 'unavailable' || error.reason === 'full' : isOutage(error)

/** A refusal ends the job. An unexpected error ends it only if it persists, because it can be temporary. */
async function handleFailure(ctx: Context, job: JobRow, faults: Faults, error: unknown): Promise<void> {
  // An outage is not the fault of the job, which continues after its last committed batch.
  if (isAway(error)) {
    ctx.log.warn(
      { err: error, job: job.id, account_id: job.account_id },
      'a job waits for the database or the files',
    )
    return release(ctx, job, ctx.now() + AWAY_SECONDS)
  }
  if (error instanceof Refusal) return fail(ctx, job, error.code)
  const times = (faults.get(job.id) ?? 0) + 1
  ctx.log.error(
    { err: error, job: job.id, account_id: job.account_id, times },
    'a job failed with an internal error',
  )
  if (times < MAX_FAULTS) {
    faults.set(job.id, times)
    return release(ctx, job, ctx.now() + PUT_OFF_SECONDS)
  }
  faults.delete(job.id)
  return fail(ctx, job, 'internal')
}

/** Schedules the rest of an interrupted job, so that it need not wait for the end of the lease. */
async function release(ctx: Context, job: JobRow, due_at: number): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    const now = await lockJob(tx, job)
    if (now?.lease === job.lease) await updateJob(tx, job, { due_at, lease: null })
  })
}

/** Ends a job that cannot continue, with the reason. */
async function fail(ctx: Context, job: JobRow, error: string): Promise<void> {
  exportJob(ctx, job, error)
  await ctx.db.transaction().execute(async (tx) => {
    const now = await lockJob(tx, job)
    if (now?.lease !== job.lease) return
    await updateJob(tx, job, {
      state: 'failed',
      error,
      finished_at: ctx.now(),
      updated_at: ctx.now(),
      due_at: null,
      lease: null,
    })
  })
}
