import type { Context } from '../context.ts'
import type { JobRow } from '../db/tables.ts'
import { deleteJob, deleteSomeRows, jobsUntouchedSince } from './batches/queries.ts'
import { deleteFileOf } from './imports/import-files.ts'
import { endedStates, UNDO_SECONDS } from './imports/job-states.ts'
import { lostFilesSweep } from './imports/lost-files.ts'

/** Seconds after which an unstarted draft is deleted. */
const DRAFT_SECONDS = 7 * 24 * 3_600
const JOBS_AT_ONCE = 100
const ROWS_AT_ONCE = 2_000

/** The periodic jobs of this slice. */
export function jobUpkeep(ctx: Context) {
  return [
    { name: 'old imports and bulk changes', every_seconds: 3_600, run: () => sweepJobs(ctx) },
    { name: 'files of imports without a job', every_seconds: 3_600, run: lostFilesSweep(ctx) },
  ]
}

async function sweepJobs(ctx: Context): Promise<void> {
  await sweep(ctx, ctx.now() - DRAFT_SECONDS, ['draft'])
  await sweep(ctx, ctx.now() - UNDO_SECONDS, endedStates)
}

async function sweep(ctx: Context, before: number, states: readonly string[]): Promise<void> {
  for (;;) {
    const jobs = await jobsUntouchedSince(ctx.db, before, states, JOBS_AT_ONCE)
    for (const job of jobs) await forget(ctx, job)
    if (jobs.length < JOBS_AT_ONCE) return
  }
}

/** Deletes the file before the rows, so that an interrupted sweep is found again. */
async function forget(ctx: Context, job: JobRow): Promise<void> {
  await deleteFileOf(ctx, job)
  const some = () => ctx.db.transaction().execute((tx) => deleteSomeRows(tx, job, ROWS_AT_ONCE))
  while (await some());
  await ctx.db.transaction().execute((tx) => deleteJob(tx, job))
}
