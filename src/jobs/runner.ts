import { randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { Context } from '../context.ts'
import { isOfOneProcess } from '../db/dialect.ts'
import { isContention, isOutage } from '../db/failures.ts'
import type { JobRow } from '../db/tables.ts'
import { Refusal } from '../errors.ts'
import { type Work, workOf } from './batches.ts'
import {
  claimJob,
  endLeases,
  hasDueBeside,
  LEASE_SECONDS,
  lockJob,
  PUT_OFF_SECONDS,
  unfinishedJobs,
  updateJob,
} from './queries.ts'

/** The maximum delay before a new job of another process, or one of a dead process, is noticed. */
const POLL_MS = 3_000
/** The pause and the number of attempts when other transactions are in the way. */
const PAUSE_MS = 200
const TRIES = 25
/** Batches of one job before another account has its turn. */
const TURN = 20
/** Consecutive errors without a batch that end a job. */
const MAX_FAULTS = 4

/**
 * Runs jobs one after the other, with turns among the waiting accounts. A job is leased like a delivery
 * (outbound/deliveries.ts): `due_at` moves to the end of the lease, and `lease` is its name. If the process dies, the
 * lease expires, and the next process continues after the last committed batch. So no row is processed twice or
 * skipped.
 */
export interface JobRunner {
  /** Must be called after a due job was committed. */
  wake(): void
  /** Runs everything that is due, until nothing is. */
  runDue(): Promise<void>
  start(): void
  /** Stops after the current batch. The job is resumed later, by this or another process. */
  stop(): Promise<void>
}

export function createJobRunner(ctx: Context): JobRunner {
  ctx.metrics.watch(
    'patchbay_jobs',
    'Imports and bulk changes that are not done yet, by state: waiting, running.',
    () => unfinishedJobs(ctx.db),
    'state',
  )
  let isStopping = false
  let loop: Promise<void> | undefined
  let woken = Promise.withResolvers<void>()

  const wake = () => {
    woken.resolve()
    woken = Promise.withResolvers()
  }
  const faults: Faults = new Map()
  const runDue = async () => {
    const served = new Set<number>()
    while (!isStopping) {
      const job = await claim(ctx, [...served])
      if (!job && served.size === 0) return
      // Every account has had its turn.
      if (!job) served.clear()
      else {
        served.add(job.account_id)
        await run(ctx, job, faults, () => isStopping)
      }
    }
  }
  const runAlways = async () => {
    let isFirst = true
    while (!isStopping) {
      const again = woken.promise
      const poll = async () => {
        // A single process was the only one at work, so leases of its killed predecessor are invalid.
        if (isFirst && isOfOneProcess(ctx.db))
          await ctx.db.transaction().execute((tx) => endLeases(tx, ctx.now()))
        isFirst = false
        await runDue()
      }
      await poll().catch((error) => ctx.log.error({ err: error }, 'the jobs could not be read'))
      if (isStopping) return
      const timer = setTimeout(wake, POLL_MS)
      await again
      clearTimeout(timer)
    }
  }
  return {
    wake,
    runDue,
    start: () => {
      loop ??= runAlways()
    },
    stop: async () => {
      isStopping = true
      wake()
      await loop
    },
  }
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
  try {
    for (let batches = 1; !isStopping(); batches++) {
      const step = await retryOnContention(work)
      faults.delete(job.id)
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
  }
}

/**
 * A refusal ends the job. An unexpected error ends it only if it persists, because a database or a store can be
 * temporarily down.
 */
async function handleFailure(ctx: Context, job: JobRow, faults: Faults, error: unknown): Promise<void> {
  if (error instanceof Refusal) return fail(ctx, job, error.code)
  // An outage is not the fault of the job, which continues after its last committed batch.
  if (isOutage(error)) {
    ctx.log.info({ err: error, job: job.id, account_id: job.account_id }, 'a job waits for the database')
    return release(ctx, job, ctx.now())
  }
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

/** Repeats a batch that was rolled back because of contention. */
async function retryOnContention(work: Work): ReturnType<Work['step']> {
  for (let left = TRIES; ; left--) {
    try {
      return await work.step()
    } catch (error) {
      if (left <= 1 || !isContention(error)) throw error
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    }
  }
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
