import { type Actor, requireAdmin } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import type { Db } from '../db/database.ts'
import type { FormObject } from './form-body.ts'
import { accountOf, bodyOf } from './webhook-requests.ts'
import { type WebhookCode, type WebhookKey, webhookCodes } from './webhook-types.ts'

/** The item that a change of the latest record would announce; null if the account has no such record. */
export type Sample = (db: Db, account_id: number, code: WebhookCode) => Promise<FormObject | null>

/**
 * Samples by the key of the body, and of notes, which have the keys of their records. Records are above webhooks, so
 * the surface passes this in.
 */
export type Samples = Record<WebhookKey | 'notes', Sample>

/** The body that a webhook would receive for a change of the account's latest record. For administrators. */
export async function sampleBody(
  ctx: Context,
  actor: Actor,
  code: WebhookCode,
  samples: Samples,
): Promise<string | null> {
  requireAdmin(actor)
  const { key, action } = webhookCodes[code]
  const item = await samples[action === 'note' ? 'notes' : key](ctx.db, actor.account_id, code)
  return item && bodyOf(accountOf(ctx, actor.account_id, actor.subdomain), code, [item])
}
