import type { Context } from '../context.ts'
import type { Tx } from '../db/database.ts'
import type { AccountRow } from '../db/tables.ts'
import type { Fault } from '../errors.ts'
import { currencySign } from './account-defaults.ts'
import { type Actor, requireAdmin } from './actor.ts'
import { auditAs, recordAudit } from './audit.ts'
import { lockAccount } from './people-queries.ts'
import { refuseFaults } from './person-draft.ts'
import { updateAccountRow } from './queries.ts'
import type { AccountPatch } from './schemas.ts'

/** Changes what the patch names, for administrators. Throws Refusal('invalid') for a zone, country or currency that does not exist. */
export async function changeAccount(ctx: Context, actor: Actor, patch: AccountPatch): Promise<void> {
  requireAdmin(actor)
  refuseFaults(patchFaults(patch))
  await ctx.db.transaction().execute(async (tx) => {
    const account = await lockAccount(tx, actor.account_id)
    const changed = settable.filter((name) => patch[name] !== undefined && patch[name] !== account[name])
    if (changed.length === 0) return
    const changes = Object.fromEntries(changed.map((name) => [name, patch[name]]))
    const sign = patch.currency && { currency_symbol: currencySign(patch.currency) }
    await updateAccountRow(tx, account.id, {
      ...changes,
      ...sign,
      updated_at: ctx.now(),
      updated_by: actor.user_id,
    })
    await auditAs(ctx, tx, actor, 'account.changed', { changed })
  })
}

/** How the account works with its customers; `disabled` is not at all. For administrators. */
export async function changeCustomersMode(
  ctx: Context,
  actor: Actor,
  customers_mode: 'segments' | 'periodicity' | 'disabled',
): Promise<void> {
  requireAdmin(actor)
  await ctx.db.transaction().execute(async (tx) => {
    const account = await lockAccount(tx, actor.account_id)
    if (account.customers_mode === customers_mode) return
    const changes = { customers_mode, updated_at: ctx.now(), updated_by: actor.user_id }
    await updateAccountRow(tx, account.id, changes)
    await auditAs(ctx, tx, actor, 'account.changed', { changed: ['customers_mode'] })
  })
}

/**
 * Sets the Unix second from which the account is not paid any more (R22); null is paid for good. For the operator, and
 * for the switch in the settings of `patchbay dev`.
 */
export async function changePaidUntil(
  ctx: Context,
  by: Pick<Actor, 'account_id' | 'user_id' | 'request_id'>,
  paid_until: number | null,
): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    const account = await lockAccount(tx, by.account_id)
    if (account.paid_until === paid_until) return
    const { user_id, request_id } = by
    await updateAccountRow(tx, account.id, { paid_until, updated_at: ctx.now(), updated_by: user_id })
    const details = { changed: ['paid_until'] }
    await recordAudit(ctx, tx, {
      account_id: account.id,
      user_id,
      action: 'account.changed',
      details,
      request_id,
    })
  })
}

/** Whether there is a reply bot, as whoever gave the account one or took it away says, who has locked it. */
export async function setHelpbotEnabled(
  tx: Tx,
  { id, is_helpbot_enabled }: AccountRow,
  isThere: boolean,
): Promise<void> {
  if ((is_helpbot_enabled === 1) !== isThere)
    await updateAccountRow(tx, id, { is_helpbot_enabled: isThere ? 1 : 0 })
}

const settable = ['name', 'language', 'timezone', 'country', 'currency'] as const

const checks: Partial<Record<keyof AccountPatch, { holds: (value: string) => boolean; detail: string }>> = {
  timezone: { holds: isTimezone, detail: 'This value is not a valid timezone.' },
  country: { holds: isCountry, detail: 'This value is not a valid country.' },
  currency: { holds: isCurrency, detail: 'This value is not a valid currency.' },
}

function patchFaults(patch: AccountPatch): Fault[] {
  return Object.entries(checks).flatMap(([path, { holds, detail }]) => {
    const value = patch[path as keyof AccountPatch]
    if (value === undefined || holds(value)) return []
    return [{ request_id: '0', code: 'NotSupportedChoice', path, detail } satisfies Fault]
  })
}

/** Names alone: `+03:00` is an offset, and says nothing of summer time. */
function isTimezone(name: string): boolean {
  if (!/^[A-Z]/.test(name)) return false
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name })
    return true
  } catch {
    return false
  }
}

const countries = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })

function isCountry(code: string): boolean {
  return code !== 'ZZ' && countries.of(code) !== undefined
}

function isCurrency(code: string): boolean {
  return Intl.supportedValuesOf('currency').includes(code)
}
