import { randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { Context } from '../context.ts'
import { isOfOneProcess } from '../db/dialect.ts'
import { isContention, isOutage } from '../db/failures.ts'
import type { AutomationRunRow } from '../db/tables.ts'
import { carryOut, fail, putOff } from './carry-out.ts'
import { claimRuns, countDue, endLeases, nextAccount } from './run-queries.ts'

/** The maximum delay before a run of another process, or one of a dead process, is noticed. */
const POLL_MS = 3_000
/** Seconds after which a silent process counts as dead. */
const LEASE_SECONDS = 60
/** Runs of one account that are leased together, before another account has its turn. */
const TURN = 100
const PAUSE_MS = 200
const TRIES = 25
const PUT_OFF_SECONDS = 30
/** Unexpected errors that end a run. */
const MOST_FAILURES = 4

/**
 * Carries out the runs that are due, with turns among the accounts. Runs are leased like jobs (jobs/runner.ts): `due_at`
 * moves to the end of the lease, and `lease` is its name. The runs of a lead act in the order of their times.
 */
export interface RuleRunner {
  /** Must be called after a due run was committed. */
  wake(): void
  /** Carries out everything that is due, also what that causes. */
  runDue(): Promise<void>
  start(): void
  /** Stops after the present run, and returns the leases of the others. */
  stop(): Promise<void>
}

export function createAutomation(ctx: Context): RuleRunner {
  ctx.metrics.watch('patchbay_automation_due', 'Actions of stages that are due and not done yet.', () =>
    countDue(ctx.db, ctx.now()),
  )
  let isStopping = false
  let loop: Promise<void> | undefined
  let woken = Promise.withResolvers<void>()
  const wake = () => {
    woken.resolve()
    woken = Promise.withResolvers()
  }
  const runDue = async () => {
    const served = new Set<number>()
    while (!isStopping) {
      const account_id = await nextAccount(ctx.db, ctx.now(), [...served])
      if (account_id === undefined && served.size === 0) return
      // Every account has had its turn.
      if (account_id === undefined) served.clear()
      else {
        served.add(account_id)
        await serve(ctx, account_id, () => isStopping)
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
      await poll().catch((error) => ctx.log.error({ err: error }, 'the runs of automation could not be read'))
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

/** Carries out some runs of an account. */
async function serve(ctx: Context, account_id: number, isStopping: () => boolean): Promise<void> {
  const now = ctx.now()
  const lease = { now, until: now + LEASE_SECONDS, lease: randomUUID(), limit: TURN }
  const runs = await ctx.db.transaction().execute((tx) => claimRuns(tx, account_id, lease))
  for (const run of runs) {
    if (isStopping()) await putOff(ctx, run, ctx.now())
    else await carryOutOrPutOff(ctx, run)
    // Serve other requests between runs.
    await setImmediate()
  }
}

/** An unexpected error ends a run only if it persists, because a database or a store can be temporarily down. */
async function carryOutOrPutOff(ctx: Context, run: AutomationRunRow): Promise<void> {
  try {
    await retryOnContention(() => carryOut(ctx, run))
  } catch (error) {
    if (isOutage(error)) throw error
    const { id, account_id, rule_id } = run
    const failures = run.failures + 1
    ctx.log.error({ err: error, run: id, rule: rule_id, account_id, failures }, 'an action of a stage failed')
    if (failures >= MOST_FAILURES) await fail(ctx, run, { state: 'failed', reason: 'internal' })
    else await putOff(ctx, run, ctx.now() + PUT_OFF_SECONDS, failures)
  }
}

/** Repeats a transaction that was rolled back because of contention. */
async function retryOnContention(work: () => Promise<void>): Promise<void> {
  for (let left = TRIES; ; left--) {
    try {
      return await work()
    } catch (error) {
      if (left <= 1 || !isContention(error)) throw error
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    }
  }
}
