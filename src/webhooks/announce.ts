import type { Context } from '../context.ts'
import type { Tx } from '../db/database.ts'
import { nextId } from '../db/dialect.ts'
import type { Cause } from '../events/events.ts'
import type { FormObject } from './form-body.ts'
import { insertAnnouncement, selectEnabled } from './queries.ts'
import type { WebhookCode } from './webhook-types.ts'

/** A change of a record or of something that belongs to it. */
export interface Change {
  /** The subscriptions that it concerns. All have the same key and action. */
  codes: readonly [WebhookCode, ...WebhookCode[]]
  /** The kind and id of the record, such as `leads 12`. Its deliveries to a webhook keep their order. */
  record: string
  item: FormObject
}

/** The enabled webhooks of an account and its listeners, as they are at the time of a change. */
export interface Subscriptions {
  webhooks: { id: number; codes: ReadonlySet<string>; is_listener: boolean; is_for_rest: boolean }[]
  /** Whether a webhook subscribes to one of these. */
  has(...codes: WebhookCode[]): boolean
}

/** The subscriptions of an account; null if it has no enabled webhook, so nothing has to be announced. */
export async function findSubscriptions(tx: Tx, account_id: number): Promise<Subscriptions | null> {
  const rows = await selectEnabled(tx, { account_id })
  if (rows.length === 0) return null
  const webhooks = rows.map(({ id, destination, settings, is_for_rest }) => ({
    id,
    codes: new Set<string>(JSON.parse(settings)),
    is_listener: destination === '',
    is_for_rest: is_for_rest === 1,
  }))
  return {
    webhooks,
    has: (...codes) => webhooks.some((webhook) => codes.some((code) => webhook.codes.has(code))),
  }
}

/** A change with the ids of the webhooks that subscribe to it, as it is stored. */
export interface AnnouncedChange extends Change {
  webhooks: number[]
}

/**
 * Announces these changes in their transaction. The caller has locked their records, so the ids of announcements keep
 * the order of the changes of a record. One row is written, however many webhooks there are; fan-out.ts queues the
 * requests after the commit.
 */
export async function announce(
  ctx: Context,
  tx: Tx,
  by: Cause,
  subscriptions: Subscriptions,
  changes: readonly Change[],
): Promise<void> {
  const announced = changes.flatMap((change): AnnouncedChange[] => {
    const concerned = subscriptions.webhooks.filter(({ codes }) =>
      change.codes.some((code) => codes.has(code)),
    )
    const hasWebhook = concerned.some(({ is_listener }) => !is_listener)
    const webhooks = concerned.filter(({ is_for_rest }) => !(is_for_rest && hasWebhook)).map(({ id }) => id)
    return webhooks.length > 0 ? [{ ...change, webhooks }] : []
  })
  if (announced.length === 0) return
  await insertAnnouncement(tx, {
    id: await nextId(tx, 'webhook_announcements'),
    account_id: by.account_id,
    request_id: by.request_id,
    changes: JSON.stringify(announced),
    created_at: ctx.now(),
    trace_context: ctx.traces.of(by.request_id),
  })
  ctx.queued.ringAfterCommit()
}
