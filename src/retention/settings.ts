import { type Actor, auditAs, lockAccount, requireAdmin } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import type { Db } from '../db/database.ts'
import { Refusal } from '../errors.ts'
import { type KindName, kindNames, kindTypes, MOST_DAYS } from './kind-types.ts'
import { replaceSettings, settingRows } from './queries.ts'

/** For how many days an account keeps rows, by kind; null is for ever. */
export type Periods = Record<KindName, number | null>

export async function periodsOf(db: Db, account_id: number): Promise<Periods> {
  const own = new Map((await settingRows(db, account_id)).map(({ kind, days }) => [kind, days]))
  const days = kindNames.map((kind) => {
    const set = own.get(kind)
    return [kind, set === undefined ? kindTypes[kind].default_days : set]
  })
  return Object.fromEntries(days)
}

/** Throws Refusal('invalid') with a fault for each period that is too short or too long. */
export function requirePeriods(periods: Partial<Periods>): void {
  const faults = kindNames.flatMap((kind) => {
    const days = periods[kind]
    const { least_days } = kindTypes[kind]
    if (days === undefined || days === null || (days >= least_days && days <= MOST_DAYS)) return []
    return [
      {
        request_id: '0',
        code: 'OutOfRange' as const,
        path: `days.${kind}`,
        detail: `This value is ${days}. It should be null or from ${least_days} to ${MOST_DAYS}.`,
      },
    ]
  })
  if (faults.length > 0) throw new Refusal('invalid', 'Request validation failed', { faults })
}

/** Changes for how long the account keeps rows. The next deletion uses it. For administrators. */
export async function changePeriods(ctx: Context, actor: Actor, wanted: Partial<Periods>): Promise<void> {
  requireAdmin(actor)
  requirePeriods(wanted)
  const { account_id } = actor
  await ctx.db.transaction().execute(async (tx) => {
    await lockAccount(tx, account_id)
    const current = await periodsOf(tx, account_id)
    const changed = kindNames.flatMap((kind) => {
      const days = wanted[kind]
      return days === undefined || days === current[kind] ? [] : [{ account_id, kind, days }]
    })
    await replaceSettings(tx, changed)
    const entries = changed.map(({ kind, days }) =>
      days === null ? { name: kind, for_ever: true } : { name: kind, days },
    )
    if (entries.length > 0) await auditAs(ctx, tx, actor, 'retention.changed', ...entries)
  })
}
