import type { Context } from '../context.ts'
import { deleteRuns, selectEnded } from './run-queries.ts'

/** Seconds for which ended runs are kept. */
const KEPT_SECONDS = 30 * 24 * 3_600
const RUNS_AT_ONCE = 2_000

/** The periodic tasks of this slice. */
export function automationUpkeep(ctx: Context) {
  return [{ name: 'old runs of automation', every_seconds: 3_600, run: () => sweepRuns(ctx) }]
}

async function sweepRuns(ctx: Context): Promise<void> {
  const before = ctx.now() - KEPT_SECONDS
  for (;;) {
    const runs = await selectEnded(ctx.db, before, RUNS_AT_ONCE)
    await ctx.db.transaction().execute((tx) => deleteRuns(tx, runs))
    if (runs.length < RUNS_AT_ONCE) return
  }
}
