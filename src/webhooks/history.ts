import { type Actor, auditAs } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import { invalid, Refusal } from '../errors.ts'
import { listAttempts } from '../outbound/deliveries.ts'
import {
  endedDeliveries,
  findDelivery,
  type ListedDelivery,
  lastBefore,
  listDeliveries,
  newestOf,
  replayDeliveries,
} from '../outbound/history.ts'
import type { DeliveryQuery, Replay, Replayed, WebhookDelivery } from './schemas.ts'
import { ownWebhook } from './settings.ts'
import { about } from './subscriptions.ts'
import { EVENT_HEADER, KIND } from './webhook-requests.ts'

const PAGE = 50
/** Deliveries that one request sends again. */
const REPLAYED = 500

const sourceOf = (id: number) => ({ kind: KIND, subject: String(id) })

/** The deliveries of a webhook from the last thirty days, the latest first. */
export async function pageOfDeliveries(ctx: Context, actor: Actor, id: number, query: DeliveryQuery) {
  await ownWebhook(ctx, actor, id)
  const listed = await listDeliveries(ctx.db, actor.account_id, [sourceOf(id)], query, PAGE + 1)
  const page = listed.slice(0, PAGE)
  return {
    deliveries: page.map(deliveryView),
    next: listed.length > PAGE ? (page.at(-1)?.delivery.id ?? null) : null,
  }
}

/** A delivery with its request and all attempts; Refusal('not_found') if the webhook has no such delivery. */
export async function deliveryDetails(ctx: Context, actor: Actor, id: number, delivery_id: number) {
  await ownWebhook(ctx, actor, id)
  const delivery = await findDelivery(ctx.db, actor.account_id, delivery_id)
  if (delivery?.kind !== KIND || delivery.subject !== String(id))
    throw new Refusal('not_found', 'Delivery not found')
  const tries = await listAttempts(ctx.db, actor.account_id, delivery_id)
  return {
    ...deliveryView({ delivery, last: tries.at(-1) ?? null }),
    url: delivery.url,
    headers: JSON.parse(delivery.headers) as Record<string, string>,
    body: delivery.body ?? '',
    tries: tries.map(({ delivery_id: _, ...attempt }) => attempt),
  }
}

/**
 * Sends ended deliveries again, as new deliveries: those with the given ids, or those that were queued in a period, in
 * portions. Throws Refusal: `invalid` without ids and a time, `conflict` while the webhook is disabled.
 */
export async function replay(ctx: Context, actor: Actor, id: number, draft: Replay): Promise<Replayed> {
  const webhook = await ownWebhook(ctx, actor, id)
  if (draft.ids === undefined && draft.from === undefined)
    throw invalid(
      'from',
      'FieldMissing',
      'Send the ids of deliveries, or the time since which to repeat them.',
    )
  if (webhook.is_disabled === 1) throw new Refusal('conflict', 'The webhook is disabled. Enable it first.')
  const { account_id } = actor
  const source = sourceOf(id)
  const after =
    draft.after ?? (draft.from === undefined ? 0 : await lastBefore(ctx.db, account_id, source, draft.from))
  const up_to = draft.up_to ?? (await newestOf(ctx.db, account_id, source))
  const range = { ...draft, after, before: up_to + 1, until: draft.to }
  const rows = await endedDeliveries(ctx.db, account_id, source, range, REPLAYED)
  if (rows.length > 0)
    await ctx.db.transaction().execute(async (tx) => {
      await replayDeliveries(tx, rows, ctx.now())
      await auditAs(ctx, tx, actor, 'webhook.replayed', { ...about(webhook), elements: rows.length })
    })
  ctx.queued.ring()
  const next = rows.length === REPLAYED ? (rows.at(-1)?.id ?? null) : null
  return { replayed: rows.length, next, up_to }
}

function deliveryView({ delivery, last }: ListedDelivery): WebhookDelivery {
  const { id, state, attempts, created_at, ended_at, request_id } = delivery
  return {
    ...{ id, state, attempts, created_at, ended_at, request_id },
    next_attempt_at: state === 'ready' ? delivery.next_attempt_at : null,
    subject: (JSON.parse(delivery.headers) as Record<string, string>)[EVENT_HEADER] ?? '',
    last_status: last?.status ?? null,
    last_error: last?.error ?? null,
  }
}
