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

/** How late another process's new job, or one of a process that died, may be noticed. */
const POLL_MS = 3_000
/** Others that were in the way are given this long, and so often. */
const PAUSE_MS = 200
const TRIES = 25
/** Batches of one job after which another account's has its turn. */
const TURN = 20
/** Faults without a batch between them that end a job. */
const MAX_FAULTS = 4

/**
 * Does the jobs, one after the other, and of accounts that wait in turn. A job is leased, like a delivery
 * (outbound/deliveries.ts): `due_at` moves to the end of the lease, and `lease` is its name. When the process dies the lease
 * ends by itself, and whoever looks next goes on behind the last batch that was committed. So no row is done twice, and
 * none is left out.
 */
export interface JobRunner {
  /** Says that something was committed that is due. */
  wake(): void
  /** Does everything that is due by the clock until nothing is. */
  runDue(): Promise<void>
  start(): void
  /** Ends after the batch under way; another process, or this one when it is back, goes on. */
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
      // Everybody had his turn.
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
        // What was under way when this process was killed: nobody else can be at work on it.
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

/** How often jobs met a fault since their last batch, by id: what passes by itself is no reason to end one. */
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
      // Others are served between two batches.
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

/** What a rule says ends a job. What we did not foresee does when it stays: a database or a store may be away for a moment. */
async function handleFailure(ctx: Context, job: JobRow, faults: Faults, error: unknown): Promise<void> {
  if (error instanceof Refusal) return fail(ctx, job, error.code)
  // It says nothing of the job, which goes on behind its last batch that was committed.
  if (isOutage(error)) {
    ctx.log.info({ err: error, job: job.id, account_id: job.account_id }, 'a job waits for the database')
    return release(ctx, job, ctx.now())
  }
  const times = (faults.get(job.id) ?? 0) + 1
  ctx.log.error({ err: error, job: job.id, account_id: job.account_id, times }, 'a job met a fault')
  if (times < MAX_FAULTS) {
    faults.set(job.id, times)
    return release(ctx, job, ctx.now() + PUT_OFF_SECONDS)
  }
  faults.delete(job.id)
  return fail(ctx, job, 'internal')
}

/** A batch that others were in the way of was undone whole, and is done again. */
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

/** Says when a job that is left in the middle goes on: nobody need wait for the end of the lease. */
async function release(ctx: Context, job: JobRow, due_at: number): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    const now = await lockJob(tx, job)
    if (now?.lease === job.lease) await updateJob(tx, job, { due_at, lease: null })
  })
}

/** Ends a job that cannot go on, and says why. */
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
