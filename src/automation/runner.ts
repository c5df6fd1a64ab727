import { randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { Context } from '../context.ts'
import { isOutage } from '../db/failures.ts'
import type { AutomationRunRow } from '../db/tables.ts'
import { createLeasedRunner, type LeasedRunner, retryOnContention } from '../leased-runner.ts'
import { exportWork, inTrace } from '../tracing/stored-work.ts'
import { carryOut, fail, putOff } from './carry-out.ts'
import { nameOfRun } from './robot.ts'
import { claimRuns, countDue, endLeases, nextAccount } from './run-queries.ts'

/** Seconds after which a silent process counts as dead. */
const LEASE_SECONDS = 60
/** Runs of one account that are leased together, before another account has its turn. */
const TURN = 100
const PUT_OFF_SECONDS = 30
/** Unexpected errors that end a run. */
const MOST_FAILURES = 4

/** Carries out the runs that are due. The runs of a lead act in the order of their times. */
export function createAutomation(ctx: Context): LeasedRunner {
  const due = ctx.metrics.remembered(() => countDue(ctx.db, ctx.now()))
  ctx.metrics.watch(
    'patchbay_automation_due',
    'Actions of stages that are due and not done yet.',
    async () => (await due()).runs,
  )
  ctx.metrics.watch(
    'patchbay_automation_overdue_seconds',
    'Time since the action of a stage was due that waits the longest.',
    async () => {
      const { oldest } = await due()
      return oldest === null ? 0 : Math.max(0, ctx.now() - oldest)
    },
  )
  return createLeasedRunner(ctx, {
    name: 'runs of automation',
    endLeases,
    serveNext: async (served, isStopping) => {
      const account_id = await nextAccount(ctx.db, ctx.now(), served)
      if (account_id !== undefined) await serve(ctx, account_id, isStopping)
      return account_id
    },
  })
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

async function carryOutInTrace(ctx: Context, run: AutomationRunRow): Promise<void> {
  const work = { ...run, name: nameOfRun(run.id) }
  const from = ctx.clock()
  const outcome = await retryOnContention(() => inTrace(ctx, work, () => carryOut(ctx, run)))
  if (!outcome) return
  const { state, reason } = outcome
  exportWork(ctx, work, {
    title: `automation ${run.action}`,
    ...{ from, to: Math.max(from, ctx.clock()) },
    attributes: {
      'patchbay.account_id': run.account_id,
      'patchbay.run_id': run.id,
      'patchbay.automation_id': run.rule_id,
      'patchbay.state': state,
    },
    error: state === 'failed' ? (reason ?? state) : null,
  })
}

/** An unexpected error ends a run only if it persists, because a database or a store can be temporarily down. */
async function carryOutOrPutOff(ctx: Context, run: AutomationRunRow): Promise<void> {
  try {
    await carryOutInTrace(ctx, run)
  } catch (error) {
    if (isOutage(error)) throw error
    const { id, account_id, rule_id } = run
    const failures = run.failures + 1
    ctx.log.error({ err: error, run: id, rule: rule_id, account_id, failures }, 'an action of a stage failed')
    if (failures >= MOST_FAILURES) await fail(ctx, run, { state: 'failed', reason: 'internal' })
    else await putOff(ctx, run, ctx.now() + PUT_OFF_SECONDS, failures)
  }
}
