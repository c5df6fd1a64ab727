import { accountNaming } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import type { DeliveryKind, Preparation } from '../outbound/deliveries.ts'
import { lockWebhook, selectDestination } from './queries.ts'
import { openSigningSecret, signed } from './signing.ts'
import { countFailure, disableWebhook } from './webhook-states.ts'

/** How an account delivers webhooks (H3). */
const plans = {
  patient: { plan: 'patient', head_ms: 10_000 },
  platform: { plan: 'platform', timeout_ms: 2_000 },
} as const satisfies Record<string, Preparation>

/**
 * How the outbound queue delivers webhooks. The bytes are stored; the address, the signature and the plan follow the
 * webhook and its account at each attempt.
 */
export function webhookDeliveries(ctx: Context): DeliveryKind {
  return {
    prepare: async ({ account_id, subject, body }) => {
      const [[webhook], { webhook_plan }] = await Promise.all([
        selectDestination(ctx.db, { account_id, id: Number(subject) }),
        accountNaming(ctx.db, account_id),
      ])
      // It was disabled or removed a moment ago. Its deliveries are cancelled, and the result of this attempt is dropped.
      if (!webhook || webhook.is_disabled === 1) return { url: NOWHERE, tries: 1 }
      const secret = openSigningSecret(ctx, webhook)
      return {
        url: webhook.destination,
        ...plans[webhook_plan],
        ...(secret !== null && signed(secret, body)),
      }
    },
    attemptFailed: (tx, { account_id, subject }) => countFailure(ctx, tx, account_id, Number(subject)),
    stopping: async (tx, { account_id, subject }) => {
      await lockWebhook(tx, account_id, Number(subject))
    },
    stopped: (tx, { account_id, subject }, why) => disableWebhook(ctx, tx, account_id, Number(subject), why),
  }
}

const NOWHERE = 'about:blank'
