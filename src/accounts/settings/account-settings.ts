import type { Context } from '../../context.ts'
import type { Db, Tx } from '../../db/database.ts'
import type { AccountRow, WebhookPlan } from '../../db/tables.ts'
import { auditAs, recordAudit } from '../audit/audit.ts'
import { type Actor, requireAdmin } from '../members/actor.ts'
import { lockAccount } from '../members/people-queries.ts'
import { selectAccount, updateAccountRow } from '../members/queries.ts'
import type { AccountPatch } from '../members/schemas.ts'
import { currencySign } from './currencies.ts'
import { requireKnown } from './known-settings.ts'

/**
 * Changes account settings, for administrators. Throws Refusal('invalid') for an unknown time zone, country or
 * currency.
 */
export async function changeAccount(ctx: Context, actor: Actor, patch: AccountPatch): Promise<void> {
  requireAdmin(actor)
  requireKnown(patch)
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

/** Sets how the account uses customers; `disabled` turns them off. For administrators. */
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

/** How webhooks of the account are delivered. For administrators. */
export async function webhookPlan(ctx: Context, actor: Actor): Promise<WebhookPlan> {
  requireAdmin(actor)
  return (await selectAccount(ctx.db).where('id', '=', actor.account_id).executeTakeFirstOrThrow())
    .webhook_plan
}

/** Sets how webhooks of the account are delivered. For administrators. */
export async function changeWebhookPlan(
  ctx: Context,
  actor: Actor,
  webhook_plan: WebhookPlan,
): Promise<void> {
  requireAdmin(actor)
  await ctx.db.transaction().execute(async (tx) => {
    const account = await lockAccount(tx, actor.account_id)
    if (account.webhook_plan === webhook_plan) return
    const changes = { webhook_plan, updated_at: ctx.now(), updated_by: actor.user_id }
    await updateAccountRow(tx, account.id, changes)
    await auditAs(ctx, tx, actor, 'account.changed', { changed: ['webhook_plan'] })
  })
}

/** Whether the leads of new chats wait in the incoming stage (I9). */
export async function areChatsUnsorted(db: Db, account_id: number): Promise<boolean> {
  const account = await selectAccount(db).where('id', '=', account_id).executeTakeFirstOrThrow()
  return account.are_chats_unsorted === 1
}

/** Sets whether the leads of new chats wait in the incoming stage. For administrators. */
export async function changeChatsUnsorted(ctx: Context, actor: Actor, isOn: boolean): Promise<void> {
  requireAdmin(actor)
  await ctx.db.transaction().execute(async (tx) => {
    const account = await lockAccount(tx, actor.account_id)
    const are_chats_unsorted = isOn ? 1 : 0
    if (account.are_chats_unsorted === are_chats_unsorted) return
    const changes = { are_chats_unsorted, updated_at: ctx.now(), updated_by: actor.user_id } as const
    await updateAccountRow(tx, account.id, changes)
    await auditAs(ctx, tx, actor, 'account.changed', { changed: ['are_chats_unsorted'] })
  })
}

/**
 * Sets the Unix second from which the account is unpaid (R22); null means paid indefinitely. Called by the operator
 * and by the switch in the settings of `patchbay dev`.
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

/** Stores whether the account has a reply bot. The caller has locked the account. */
export async function setHelpbotEnabled(
  tx: Tx,
  { id, is_helpbot_enabled }: AccountRow,
  isEnabled: boolean,
): Promise<void> {
  if ((is_helpbot_enabled === 1) !== isEnabled)
    await updateAccountRow(tx, id, { is_helpbot_enabled: isEnabled ? 1 : 0 })
}

const settable = ['name', 'language', 'timezone', 'country', 'currency'] as const
