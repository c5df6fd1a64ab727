import { accountNaming, recordAudit } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import type { Tx } from '../db/database.ts'
import type { WebhookRow } from '../db/tables.ts'
import { cancelDeliveries, type Stop } from '../outbound/deliveries.ts'
import { lockWebhook, lockWebhooksOf, updateWebhook } from './queries.ts'
import { about } from './subscriptions.ts'
import { circuitOf } from './webhook-requests.ts'

/** With the plan of the platform, more failures than this within the period disable a webhook. */
const FAILURES = 100
const PERIOD = 2 * 3600

/**
 * Counts a failed attempt in an account with the plan of the platform. Returns `failures` if the webhook must be
 * disabled: more than a hundred attempts have failed within two hours, and the last one too (H3).
 */
export async function countFailure(
  ctx: Context,
  tx: Tx,
  account_id: number,
  id: number,
): Promise<Stop | null> {
  if ((await accountNaming(tx, account_id)).webhook_plan !== 'platform') return null
  const webhook = await lockWebhook(tx, account_id, id)
  if (!webhook || webhook.is_disabled === 1) return null
  const failures = [...(JSON.parse(webhook.recent_failures) as number[]), ctx.now()].slice(-FAILURES - 1)
  await updateWebhook(tx, webhook, { recent_failures: JSON.stringify(failures) })
  const [first = 0] = failures
  return failures.length > FAILURES && first >= ctx.now() - PERIOD ? 'failures' : null
}

/** Disables a webhook whose endpoint should be given up. */
export async function disableWebhook(
  ctx: Context,
  tx: Tx,
  account_id: number,
  id: number,
  reason: Stop,
): Promise<void> {
  const webhook = await lockWebhook(tx, account_id, id)
  if (webhook?.is_disabled === 0) await disableLocked(ctx, tx, webhook, reason)
}

/** Disables the webhooks of an integration that was disabled in the account. */
export async function disableWebhooksOf(
  ctx: Context,
  tx: Tx,
  account_id: number,
  integration_id: string,
): Promise<void> {
  for (const webhook of await lockWebhooksOf(tx, account_id, integration_id))
    await disableLocked(ctx, tx, webhook, 'uninstalled')
}

/** Cancels the pending deliveries, too. The audit log and the settings inform the administrators. */
async function disableLocked(
  ctx: Context,
  tx: Tx,
  webhook: WebhookRow,
  reason: Stop | 'uninstalled',
): Promise<void> {
  const { account_id, id } = webhook
  await updateWebhook(tx, webhook, { is_disabled: 1, disable_reason: reason, disabled_at: ctx.now() })
  await cancelDeliveries(tx, { circuit: circuitOf(id) }, ctx.now())
  await recordAudit(ctx, tx, {
    ...{ account_id, user_id: 0, request_id: 'webhooks', action: 'webhook.disabled' },
    details: { ...about(webhook), reason },
  })
}
