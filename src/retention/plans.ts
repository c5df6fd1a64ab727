import type { Context } from '../context.ts'
import type { Tx } from '../db/database.ts'
import { accountsWithoutRun, findRun, lockRun, planFirstRuns, updateRun } from './queries.ts'
import type { Retention } from './schemas.ts'
import { parseCounts } from './windows.ts'

/** The current or last deletion of an account. */
export async function readRun(ctx: Context, account_id: number): Promise<Retention['run']> {
  const run = await findRun(ctx.db, account_id)
  const { started_at = null, ended_at = null, due_at = null } = run ?? {}
  const isRunning = started_at !== null && ended_at === null
  const isDue = due_at !== null && due_at <= ctx.now()
  const state = isRunning ? 'running' : isDue ? 'waiting' : ended_at === null ? 'none' : 'ended'
  return {
    state,
    kind: isRunning ? ((run?.kind ?? null) as Retention['run']['kind']) : null,
    deleted: parseCounts(run?.deleted ?? '{}'),
    kept: parseCounts(run?.kept ?? '{}'),
    ...{ started_at, ended_at },
    due_at: isRunning ? null : due_at,
  }
}

/** Makes the deletion of an account due. One that is running continues. */
export async function planNow(tx: Tx, account_id: number, now: number): Promise<void> {
  await planFirstRuns(tx, [account_id], now)
  const run = await lockRun(tx, account_id)
  if (run?.lease === null) await updateRun(tx, account_id, { due_at: now })
}

/** Accounts for which a deletion is planned at once. */
const AT_ONCE = 500

/** Plans the first deletion of accounts that have none. */
export async function planAccounts(ctx: Context): Promise<void> {
  for (;;) {
    const accounts = await accountsWithoutRun(ctx.db, AT_ONCE)
    if (accounts.length === 0) return
    await ctx.db.transaction().execute((tx) => planFirstRuns(tx, accounts, ctx.now()))
    if (accounts.length < AT_ONCE) return
  }
}
