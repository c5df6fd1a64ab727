import { type Actor, findActor } from '../../accounts/accounts.ts'
import type { Context } from '../../context.ts'
import type { JobRecordRow, JobRow } from '../../db/tables.ts'
import { beginWrite, insufficientRights, type RecordWrite, requireCanAdd } from '../../entities/entities.ts'
import { type CsvRow, dataRows } from '../rows/csv-rows.ts'
import { loadImportLookup } from '../rows/import-lookup.ts'
import type { ImportSettings } from '../rows/import-settings.ts'
import type { ImportedType } from '../rows/targets.ts'
import { changeRows } from './bulk-batch.ts'
import type { Changes } from './bulk-schemas.ts'
import { writeRows } from './import-batch.ts'
import { nameOfJob } from './new-job.ts'
import { hasWarning, type Outcome, type OutcomeName, rowOf } from './outcomes.ts'
import {
  insertJobRows,
  LEASE_SECONDS,
  lockJob,
  replaceJobRows,
  rowsAfter,
  rowsWith,
  updateJob,
} from './queries.ts'
import { undoRows } from './undo-batch.ts'

/** Records per transaction. A transaction blocks the other writers of SQLite. */
export const BATCH = 50

/** Processes a job batch by batch. The last step returns the final state of the job. */
export interface Work {
  step(): Promise<'more' | 'ended' | 'lost'>
  /** Releases open resources. */
  close(): Promise<void>
}

/** Processes one batch and returns the changes to the job. */
type Batch = (write: RecordWrite, job: JobRow) => Promise<Partial<JobRow> & Pick<JobRow, 'state'>>

/** The work of a leased job: an import, a bulk change, or undoing either. */
export function workOf(ctx: Context, job: JobRow): Work {
  if (job.state === 'undoing') return plainWork(ctx, job, undoBatch())
  return job.kind === 'import' ? importWork(ctx, job) : plainWork(ctx, job, bulkBatch())
}

/**
 * The person who started the job, with their current rights, and the integration that did so for them. Throws
 * Refusal('forbidden') if they are no longer a member, or the integration has been disabled.
 */
async function actorOf(ctx: Context, job: JobRow): Promise<Actor> {
  const { account_id, run_by, run_by_integration: number, kind, id } = job
  const integration = number === null ? null : { id: `${kind} ${id}`, number, grant_id: '', scopes: [] }
  const asking = { integration, request_id: nameOfJob(job), address: '' }
  const actor = await findActor(ctx, { account_id, user_id: run_by }, asking)
  const isActive = number === null || (await ctx.actingIntegrations.isActive(ctx, account_id, number))
  if (!actor || !isActive) throw insufficientRights()
  return actor
}

/**
 * Runs one transaction with the batch's records, the outcomes of its rows and the progress of the job. The job is
 * locked first, so a process whose lease has ended finds another lease and does nothing.
 */
async function inOne(ctx: Context, leased: JobRow, actor: Actor, batch: Batch): ReturnType<Work['step']> {
  return ctx.db.transaction().execute(async (tx) => {
    const job = await lockJob(tx, leased)
    if (!job || job.lease !== leased.lease || !['waiting', 'running', 'undoing'].includes(job.state))
      return 'lost'
    const change = await batch(await beginWrite(ctx, tx, actor), job)
    const now = ctx.now()
    const hasEnded = change.state !== 'running' && change.state !== 'undoing'
    const ending = hasEnded
      ? { finished_at: now, due_at: null, lease: null }
      : { due_at: now + LEASE_SECONDS }
    await updateJob(tx, job, { ...change, ...ending, updated_at: now })
    return hasEnded ? 'ended' : 'more'
  })
}

function plainWork(ctx: Context, job: JobRow, batch: Batch): Work {
  return {
    step: async () => inOne(ctx, job, await actorOf(ctx, job), batch),
    close: async () => {},
  }
}

/** The file is read continuously across batches, and from its beginning only when a job is resumed. */
function importWork(ctx: Context, job: JobRow): Work {
  const settings = JSON.parse(job.settings) as ImportSettings
  const type = job.entity_type as ImportedType
  const rows = dataRows(ctx.files, settings.file, job.position)
  let left: CsvRow[] = []
  return {
    async step() {
      while (left.length < BATCH) {
        const next = await rows.next()
        if (next.done) break
        left.push(next.value)
      }
      const actor = await actorOf(ctx, job)
      const lookup = await loadImportLookup(ctx, actor, type, settings)
      const batch = left
      const result = await inOne(ctx, job, actor, async (write, now) => {
        requireCanAdd(write.access, type)
        const done = await writeRows(write, batch, lookup)
        await insertJobRows(
          write.tx,
          done.map(({ plan, outcome }) =>
            rowOf(
              now,
              plan.position,
              outcome.faults.length > 0 ? { ...outcome, cells: plan.cells } : outcome,
            ),
          ),
        )
        const position = batch.at(-1)?.position ?? now.position
        const outcomes = done.map(({ outcome }) => outcome)
        return { ...counted(now, outcomes), position, state: batch.length < BATCH ? 'done' : 'running' }
      })
      // Cleared only after the commit, so that a failed batch is repeated.
      left = []
      return result
    },
    close: async () => {
      await rows.return(undefined)
    },
  }
}

function bulkBatch(): Batch {
  return async (write, job) => {
    const { tx } = write
    const { changes } = JSON.parse(job.settings) as { changes: Changes }
    const rows = await rowsAfter(tx, job, job.position, BATCH)
    const done = await changeRows(write, job, changes, rows)
    await replaceJobRows(tx, storedRows(job, rows, done))
    const position = rows.at(-1)?.position ?? job.position
    return {
      ...counted(job, [...done.values()]),
      position,
      state: rows.length < BATCH ? 'done' : 'running',
    }
  }
}

/** Undoes the last rows first. */
function undoBatch(): Batch {
  return async (write, job) => {
    const { tx } = write
    const page = { direction: 'desc', after: null, limit: BATCH } as const
    const some = await Promise.all([rowsWith(tx, job, 'added', page), rowsWith(tx, job, 'changed', page)])
    const rows = some
      .flat()
      .sort((a, b) => b.position - a.position)
      .slice(0, BATCH)
    const done = await undoRows(write, job, rows)
    await replaceJobRows(tx, storedRows(job, rows, done))
    const outcomes = [...done.values()]
    const count = (name: OutcomeName) => outcomes.filter(({ outcome }) => outcome === name).length
    return {
      undone: job.undone + count('undone'),
      kept: job.kept + count('kept'),
      state: rows.length < BATCH ? 'undone' : 'undoing',
    }
  }
}

const storedRows = (job: JobRow, rows: readonly JobRecordRow[], done: Map<number, Outcome>): JobRecordRow[] =>
  rows.map(({ position }) => rowOf(job, position, done.get(position) as Outcome))

function counted(
  job: JobRow,
  outcomes: readonly Outcome[],
): Pick<JobRow, 'added' | 'changed' | 'skipped' | 'failed' | 'warned'> {
  const plus = (name: 'added' | 'changed' | 'skipped' | 'failed') =>
    job[name] + outcomes.filter(({ outcome }) => outcome === name).length
  return {
    added: plus('added'),
    changed: plus('changed'),
    skipped: plus('skipped'),
    failed: plus('failed'),
    warned: job.warned + outcomes.filter(hasWarning).length,
  }
}
