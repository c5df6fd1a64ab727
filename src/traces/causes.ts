import { findRun, runNamed } from '../automation/automation.ts'
import type { Db } from '../db/database.ts'
import type { AutomationRunRow, JobRow } from '../db/tables.ts'
import { Refusal } from '../errors.ts'
import { findJob, jobNamed } from '../jobs/jobs.ts'
import { isRequestId, timeOfRequest } from '../tracing/request-ids.ts'

/** A cause, which others name by its `request_id`, and when its effects were written, in Unix milliseconds. */
export interface Cause {
  name: string
  /** The id of its node. */
  node: string
  /** null: it has not begun to write. */
  wrote: { from: number; to: number } | null
}

/** The longest way up: a run that a run caused, and so on (LONGEST_CHAIN). */
const LONGEST_WAY = 30

/** The name of the request that is the first cause of what has this name. Throws Refusal('not_found'). */
export async function firstCause(db: Db, account_id: number, asked: string): Promise<string> {
  let name = asked
  for (let steps = 0; steps < LONGEST_WAY; steps++) {
    const above = await causeOf(db, account_id, name)
    if (above === null) return name
    name = above
  }
  throw noTrace()
}

async function causeOf(db: Db, account_id: number, name: string): Promise<string | null> {
  const run_id = runNamed(name)
  const run = run_id === null ? undefined : await findRun(db, { account_id, id: run_id })
  if (run) return run.request_id
  const job = jobNamed(name)
  if (!job) return null
  const row = await findJob(db, { account_id, id: job.id })
  return (job.is_undo ? row?.undo_request_id : row?.request_id) ?? null
}

/** The node of a name: of the request, a run or a job. */
export function nodeOf(name: string): string {
  const run = runNamed(name)
  if (run !== null) return `run ${run}`
  const job = jobNamed(name)
  return job ? jobNode(job) : `request ${name}`
}

export const jobNode = ({ id, is_undo }: { id: number; is_undo: boolean }): string =>
  is_undo ? `undo ${id}` : `job ${id}`

/** The time for which effects of a request are looked for, if the request log does not know how long it took. */
const LONGEST_REQUEST_MS = 60_000
/** Clocks of several servers differ. */
const SLACK_MS = 2_000

/**
 * A request as a cause. `logged` is its row in the request log. Throws Refusal('not_found') if nothing says when the
 * request was: then its effects cannot be found.
 */
export function requestAsCause(name: string, logged: { at: number; duration_ms: number } | null): Cause {
  const began = timeOfRequest(name)
  const at = began ?? logged?.at
  if (at === undefined || !isRequestId(name)) throw noTrace()
  const ended = logged ? logged.at + logged.duration_ms + SLACK_MS : at + LONGEST_REQUEST_MS
  return { name, node: nodeOf(name), wrote: { from: Math.min(at, logged?.at ?? at) - SLACK_MS, to: ended } }
}

/** Why there is no trace. It is the same for the id of a request of another account. */
export const noTrace = (): Refusal =>
  new Refusal(
    'not_found',
    'There is no trace with this id. It is the X-Request-Id of a request of this account. Requests of earlier versions ' +
      'have one only while they are in the request log.',
  )

/** A run writes shortly before it ends. */
const LONGEST_RUN_MS = 30_000

/** A run as a cause. A call writes nothing, and ends when its URL has answered. */
export function runAsCause(name: string, { id, state, result, ended_at }: AutomationRunRow): Cause {
  const at = ended_at === null || state === 'sending' ? null : ended_at * 1000
  const hasActed = at !== null && !(state === 'skipped' && result === '{}')
  const wrote = hasActed ? { from: at - LONGEST_RUN_MS, to: at + SLACK_MS } : null
  return { name, node: `run ${id}`, wrote }
}

/** A job, or undoing it, as a cause. Undoing begins with the request for it. */
export function jobAsCause(name: string, job: JobRow, is_undo: boolean, now: number): Cause {
  const undone = timeOfRequest(job.undo_request_id ?? '')
  const began = is_undo ? undone : (job.started_at ?? job.created_at) * 1000
  const ended = !is_undo && undone !== null ? undone : job.finished_at === null ? now : job.finished_at * 1000
  const wrote = began === null ? null : { from: began - SLACK_MS, to: ended + SLACK_MS }
  return { name, node: jobNode({ id: job.id, is_undo }), wrote }
}

/** A part of time with the causes whose effects are in it. */
export interface Period {
  from: number
  to: number
  causes: Cause[]
}

/** The periods in which some causes wrote. Those that overlap are read together. */
export function periodsOf(causes: readonly Cause[]): Period[] {
  const periods: Period[] = []
  const written = causes.flatMap((cause) => (cause.wrote ? [{ ...cause.wrote, causes: [cause] }] : []))
  for (const next of written.toSorted((a, b) => a.from - b.from)) {
    const last = periods.at(-1)
    if (!last || next.from > last.to) periods.push({ ...next })
    else {
      last.to = Math.max(last.to, next.to)
      last.causes.push(...next.causes)
    }
  }
  return periods
}
