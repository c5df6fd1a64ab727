import { randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { recordAudit } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import type { Tx } from '../db/database.ts'
import { isOutage } from '../db/failures.ts'
import { missingIndexes } from '../db/indexes/online-indexes.ts'
import type { RetentionRunRow } from '../db/tables.ts'
import { createLeasedRunner, type LeasedRunner, retryOnContention } from '../leased-runner.ts'
import type { KindName } from './kind-types.ts'
import { kinds } from './kinds.ts'
import { claimRun, EVERY_SECONDS, endLeases, lockRun, updateRun } from './queries.ts'
import { periodsOf } from './settings.ts'
import { keptSince, parseCounts, parsePosition, withMore } from './windows.ts'

/** Seconds after which a silent process counts as dead. Each window renews the lease. */
const LEASE_SECONDS = 60
/** Windows of one account before another account has its turn. */
const TURN = 50
const PUT_OFF_SECONDS = 300

/**
 * Deletes old rows, once a day for each account, in windows with a transaction each. The next process continues the
 * deletion of a dead one after the last committed window.
 */
export function createRetention(ctx: Context): LeasedRunner {
  let hasIndexes = false
  return createLeasedRunner(ctx, {
    name: 'deletions of old rows',
    endLeases,
    serveNext: async (served, isStopping) => {
      // After an upgrade, indexes are built first: without them, a window would read a whole table.
      hasIndexes ||= (await missingIndexes(ctx.db)).length === 0
      if (!hasIndexes) return undefined
      const run = await claim(ctx, served)
      if (run) await serve(ctx, run, isStopping)
      return run?.account_id
    },
  })
}

function claim(ctx: Context, not: readonly number[]): Promise<RetentionRunRow | undefined> {
  const now = ctx.now()
  const lease = { now, until: now + LEASE_SECONDS, lease: randomUUID(), not }
  return ctx.db.transaction().execute((tx) => claimRun(tx, lease))
}

async function serve(ctx: Context, run: RetentionRunRow, isStopping: () => boolean): Promise<void> {
  try {
    for (let windows = 0; windows < TURN && !isStopping(); windows++) {
      const hasMore = await retryOnContention(() => deleteWindow(ctx, run))
      if (!hasMore) return
      // Serve other requests between windows.
      await setImmediate()
    }
    await release(ctx, run, ctx.now())
  } catch (error) {
    if (isOutage(error)) throw error
    ctx.log.error({ err: error, account_id: run.account_id }, 'a deletion of old rows failed')
    await release(ctx, run, ctx.now() + PUT_OFF_SECONDS)
  }
}

async function release(ctx: Context, { account_id, lease }: RetentionRunRow, due_at: number): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    const run = await lockRun(tx, account_id)
    if (run?.lease === lease) await updateRun(tx, account_id, { due_at, lease: null })
  })
}

/** Deletes the old rows of one window. Returns false if the deletion has ended, or if another process has it. */
function deleteWindow(ctx: Context, { account_id, lease }: RetentionRunRow): Promise<boolean> {
  return ctx.db.transaction().execute(async (tx) => {
    const stored = await lockRun(tx, account_id)
    if (stored?.lease !== lease) return false
    const run = stored.started_at === null || stored.ended_at !== null ? begun(stored, ctx.now()) : stored
    const periods = await periodsOf(tx, account_id)
    const kind = nextKind(run, (name) => periods[name] !== null)
    if (kind === null) {
      await end(ctx, tx, run)
      return false
    }
    const { rows, at_once } = kinds[kind]
    const before = keptSince(ctx.now(), periods[kind] as number)
    const after = kind === run.kind ? parsePosition(run.position) : null
    const page = await rows.find(tx, { account_id, before, after, limit: at_once })
    const deleted = page.keys.length > 0 ? await rows.remove(tx, { account_id, before }, page.keys) : 0
    await updateRun(tx, account_id, {
      started_at: run.started_at,
      ended_at: null,
      due_at: ctx.now() + LEASE_SECONDS,
      kind,
      position: JSON.stringify(page.next ?? DONE),
      deleted: withMore(run.deleted, kind, deleted),
      kept: withMore(run.kept, kind, page.kept),
    })
    return true
  })
}

/** The position behind the last window of a kind. */
const DONE: readonly string[] = []

const begun = (run: RetentionRunRow, now: number): RetentionRunRow => ({
  ...run,
  kind: null,
  position: null,
  deleted: '{}',
  kept: '{}',
  started_at: now,
  ended_at: null,
})

/** The kind of the next window: the current one until its rows end, then the next one that has a period. */
function nextKind(
  { kind, position }: RetentionRunRow,
  hasPeriod: (name: KindName) => boolean,
): KindName | null {
  const names = Object.keys(kinds) as KindName[]
  const current = kind === null ? -1 : names.indexOf(kind as KindName)
  const isDone = kind === null || parsePosition(position)?.length === 0
  const rest = names.slice(isDone ? current + 1 : current)
  return rest.find(hasPeriod) ?? null
}

async function end(ctx: Context, tx: Tx, run: RetentionRunRow): Promise<void> {
  const { account_id, started_at, deleted, kept } = run
  const now = ctx.now()
  await updateRun(tx, account_id, {
    ...{ started_at, deleted, kept },
    due_at: now + EVERY_SECONDS,
    lease: null,
    kind: null,
    position: null,
    ended_at: now,
  })
  const entries = Object.entries(parseCounts(deleted)).map(([kind, count]) => ({
    name: kind,
    deleted: count,
  }))
  const by = { account_id, user_id: 0, request_id: 'retention', action: 'retention.applied' as const }
  if (entries.length > 0) await recordAudit(ctx, tx, ...entries.map((details) => ({ ...by, details })))
}
