import { type Actor, actingIntegration, lockAccount } from '../../accounts/accounts.ts'
import type { Context } from '../../context.ts'
import type { Db, Tx } from '../../db/database.ts'
import type { JobRow } from '../../db/tables.ts'
import { afterCommit } from '../../db/units.ts'
import { loadAccess, requireCanAdd } from '../../entities/entities.ts'
import { invalid, Refusal } from '../../errors.ts'
import { countJobs, findJob, lockJob, updateJob } from '../batches/queries.ts'
import type { ImportSettings } from '../rows/import-settings.ts'
import type { ImportedType } from '../rows/targets.ts'
import { dropFileIfEnded } from './import-files.ts'

/**
 * The states of a job. A draft is set up, waits for the worker, runs and ends: done, cancelled or failed. The worker
 * can undo a job that has ended.
 */
export const jobStates = [
  'draft',
  'waiting',
  'running',
  'done',
  'failed',
  'cancelled',
  'undoing',
  'undone',
] as const
export type JobState = (typeof jobStates)[number]

/**
 * States of unfinished jobs. Drafts are counted apart, because imports that people have left unstarted would keep
 * everybody else from bulk changes for a week.
 */
const openStates = { drafts: ['draft'], started: ['waiting', 'running', 'undoing'] } satisfies Record<
  string,
  JobState[]
>
type Room = keyof typeof openStates
export const endedStates: JobState[] = ['done', 'failed', 'cancelled', 'undone']
/** Of each room. */
const MAX_OPEN = 100

/** Seconds after its end during which a job can be undone. Then the data for it is deleted. */
export const UNDO_SECONDS = 30 * 24 * 3_600

export const isUndoable = ({ state, added, changed, finished_at }: JobRow, now: number): boolean =>
  ['done', 'failed', 'cancelled'].includes(state) &&
  added + changed > 0 &&
  (finished_at ?? 0) > now - UNDO_SECONDS

/** The job, for its person and administrators. Others get Refusal('not_found'). */
export async function requireJob(db: Db, actor: Actor, id: number): Promise<JobRow> {
  return own(actor, await findJob(db, { account_id: actor.account_id, id }))
}

/** Like requireJob, and locks the job until the transaction ends. */
export async function requireLocked(tx: Tx, actor: Actor, id: number): Promise<JobRow> {
  return own(actor, await lockJob(tx, { account_id: actor.account_id, id }))
}

function own(actor: Actor, job: JobRow | undefined): JobRow {
  if (!job || (!actor.is_admin && job.created_by !== actor.user_id))
    throw new Refusal('not_found', 'Entity not found')
  return job
}

const isFull: Record<Room, string> = {
  drafts: 'The account has the maximum number of imports that are not started. Start or cancel one of them.',
  started: 'The account has the maximum number of imports and bulk changes in progress.',
}

/** Throws Refusal('conflict') if the account has the maximum number of these jobs. */
export async function requireRoom(db: Db, account_id: number, room: Room): Promise<void> {
  if ((await countJobs(db, account_id, openStates[room])) >= MAX_OPEN)
    throw new Refusal('conflict', isFull[room], { code: 'job_limit' })
}

/** Like requireRoom, and lets no other job begin until the transaction ends. */
export async function takeRoom(tx: Tx, account_id: number, room: Room): Promise<void> {
  await lockAccount(tx, account_id)
  await requireRoom(tx, account_id, room)
}

/** Starts a draft. It runs with the rights of the person who starts it. */
export function startJob(ctx: Context, actor: Actor, id: number): Promise<JobRow> {
  return move(ctx, actor, id, async (tx, job) => {
    if (job.state !== 'draft') throw wrongState('Only a draft can be started.')
    requireCanAdd(await loadAccess(tx, actor), job.entity_type as ImportedType)
    const { mapping } = JSON.parse(job.settings) as ImportSettings
    if (mapping.length === 0)
      throw invalid('mapping', 'TooFew', 'This collection should contain 1 element or more.')
    await takeRoom(tx, actor.account_id, 'started')
    const { request_id } = actor
    const trace_context = ctx.traces.of(request_id)
    return {
      ...{ state: 'waiting', ...runBy(actor), request_id, trace_context },
      ...{ started_at: ctx.now(), due_at: ctx.now() },
    }
  })
}

/** Stops a job. Finished rows are kept. */
export async function cancelJob(ctx: Context, actor: Actor, id: number): Promise<JobRow> {
  const job = await move(ctx, actor, id, async (_tx, { state }) => {
    if (!['draft', 'waiting', 'running'].includes(state))
      throw wrongState('Only an unfinished job can be cancelled.')
    return { state: 'cancelled', finished_at: ctx.now(), due_at: null, lease: null }
  })
  afterCommit(() => void dropFileIfEnded(ctx, job))
  return job
}

/** Starts to undo a job, with the rights of the person who requests it. */
export function undoJob(ctx: Context, actor: Actor, id: number): Promise<JobRow> {
  return move(ctx, actor, id, async (_tx, job) => {
    if (!isUndoable(job, ctx.now())) throw wrongState('This job cannot be undone.')
    const { request_id: undo_request_id } = actor
    const trace_context = ctx.traces.of(undo_request_id)
    return {
      ...{ state: 'undoing', ...runBy(actor), undo_request_id, trace_context },
      ...{ due_at: ctx.now(), error: null },
    }
  })
}

const runBy = (actor: Actor) => ({
  run_by: actor.user_id,
  run_by_integration: actingIntegration(actor),
})

const wrongState = (detail: string) => new Refusal('conflict', detail, { code: 'job_state' })

async function move(
  ctx: Context,
  actor: Actor,
  id: number,
  change: (tx: Tx, job: JobRow) => Promise<Partial<JobRow>>,
): Promise<JobRow> {
  const moved = await ctx.db.transaction().execute(async (tx) => {
    const job = await requireLocked(tx, actor, id)
    const changes = { ...(await change(tx, job)), updated_at: ctx.now() }
    await updateJob(tx, job, changes)
    return { ...job, ...changes }
  })
  ctx.jobs_due.ring()
  return moved
}
