import { type Actor, auditAs, onlyAccountId, requireAdmin } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import { usedBytes } from '../drive/drive.ts'
import { type Forecast, forecast } from './dry-run.ts'
import { kindNames, kindTypes } from './kind-types.ts'
import { planNow, readRun } from './plans.ts'
import type { Retention, Sizes } from './schemas.ts'
import { type Periods, periodsOf, requirePeriods } from './settings.ts'
import { databaseSize, groupSizes } from './sizes.ts'

/** The public API of the slice: for how long an account keeps what is old, its deletion, and sizes. */
export { type Forecast, forecast } from './dry-run.ts'
export { planNow, readRun } from './plans.ts'
export { createRetention } from './runner.ts'
export { changePeriods, type Periods, periodsOf } from './settings.ts'
export { databaseSize, groupSizes } from './sizes.ts'
export { retentionUpkeep, watchSizes } from './upkeep.ts'

/** Rows of a kind that a dry run in the application counts. */
const MOST_COUNTED = 200_000

/** The periods of the account, and its current or last deletion. For administrators. */
export async function readRetention(ctx: Context, actor: Actor): Promise<Retention> {
  requireAdmin(actor)
  const [periods, run] = await Promise.all([
    periodsOf(ctx.db, actor.account_id),
    readRun(ctx, actor.account_id),
  ])
  return {
    kinds: kindNames.map((kind) => ({ kind, days: periods[kind], ...kindTypes[kind] })),
    run,
  }
}

/** The rows that the next deletion would delete with other periods; those that are left out stay. For administrators. */
export async function previewRetention(
  ctx: Context,
  actor: Actor,
  wanted: Partial<Periods>,
): Promise<Forecast[]> {
  requireAdmin(actor)
  requirePeriods(wanted)
  const periods = { ...(await periodsOf(ctx.db, actor.account_id)), ...wanted }
  return forecast(ctx, actor.account_id, periods, MOST_COUNTED)
}

/** Begins the next deletion now. For administrators. */
export async function startRetention(ctx: Context, actor: Actor): Promise<void> {
  requireAdmin(actor)
  await ctx.db.transaction().execute(async (tx) => {
    await planNow(tx, actor.account_id, ctx.now())
    await auditAs(ctx, tx, actor, 'retention.started', {})
  })
}

/**
 * The sizes of the tables. They are those of the whole server, so an administrator of an account sees them only if the server
 * has no other.
 */
export async function readSizes(ctx: Context, actor: Actor): Promise<Sizes | null> {
  requireAdmin(actor)
  if ((await onlyAccountId(ctx.db)) !== actor.account_id) return null
  const size = await databaseSize(ctx)
  return {
    groups: groupSizes(size),
    bytes: size.bytes,
    free_bytes: size.free_bytes,
    file_bytes: await usedBytes(ctx.db, actor.account_id),
    measured_at: size.at,
  }
}
