import { type Actor, auditAs } from '../accounts/accounts.ts'
import { sendDeliveredMessageAgain } from '../chats/chats.ts'
import type { Context } from '../context.ts'
import { Refusal } from '../errors.ts'
import {
  type DeliverySource,
  endedDeliveries,
  lastBefore,
  newestOf,
  replayDeliveries,
} from '../outbound/history.ts'
import { replayWebhook } from '../webhooks/webhooks.ts'
import { canBeSentAgain, existing } from './deliveries.ts'
import { isOfChat } from './kind-types.ts'
import { receiverOf, sourcesNamed, wholeName } from './receivers.ts'
import type { ReplayDraft, Replayed } from './schemas.ts'

/** Deliveries that one request sends again. */
const REPLAYED = 500

/**
 * Sends an ended delivery again: a failed message under its old id, everything else as a new delivery of the same request.
 * Throws Refusal: `not_found`, or `conflict` if it has not ended, or cannot be sent.
 */
export async function sendDeliveryAgain(ctx: Context, actor: Actor, id: number): Promise<void> {
  const delivery = await existing(ctx, actor.account_id, id)
  if (!canBeSentAgain(delivery)) throw notNow(delivery.kind, delivery.ended_at !== null)
  if (delivery.kind === 'chat_message') return sendDeliveredMessageAgain(ctx, actor, delivery.subject)
  if (delivery.kind === 'webhook') {
    await replayWebhook(ctx, actor, Number(delivery.subject), { ids: [id] })
    return
  }
  await queueAgain(ctx, actor, receiverOf(delivery) ?? delivery.kind, [delivery])
}

const notNow = (kind: string, hasEnded: boolean): Refusal =>
  new Refusal(
    'conflict',
    isOfChat(kind) && hasEnded
      ? 'The channel has it. Only a message or a reaction that has failed can be sent again.'
      : 'The delivery has not ended. It is attempted again by itself.',
  )

/**
 * Sends the ended deliveries of a receiver again that were queued in a period, in portions. Throws Refusal('conflict') for a
 * chat channel, whose conversations have an order.
 */
export async function replayReceiver(
  ctx: Context,
  actor: Actor,
  { receiver, from, to, after, up_to, state }: ReplayDraft,
): Promise<Replayed> {
  const [source] = sourcesNamed(await wholeName(ctx, receiver)) as [DeliverySource]
  if (isOfChat(source.kind))
    throw new Refusal('conflict', 'Messages are sent again one by one, because a conversation has an order.')
  if (source.kind === 'webhook')
    return replayWebhook(ctx, actor, Number(source.subject), {
      from,
      ...(to !== undefined && { to }),
      ...(after !== undefined && { after }),
      ...(up_to !== undefined && { up_to }),
      ...(state !== undefined && { state }),
    })
  const { account_id } = actor
  const start = after ?? (await lastBefore(ctx.db, account_id, source, from))
  const end = up_to ?? (await newestOf(ctx.db, account_id, source))
  const range = { after: start, before: end + 1, until: to, state }
  const rows = await endedDeliveries(ctx.db, account_id, source, range, REPLAYED)
  if (rows.length > 0) await queueAgain(ctx, actor, receiver, rows)
  const next = rows.length === REPLAYED ? (rows.at(-1)?.id ?? null) : null
  return { replayed: rows.length, next, up_to: end }
}

async function queueAgain(
  ctx: Context,
  actor: Actor,
  receiver: string,
  rows: Parameters<typeof replayDeliveries>[1],
): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    await replayDeliveries(tx, rows, ctx.now())
    await auditAs(ctx, tx, actor, 'delivery.sent_again', { name: receiver, elements: rows.length })
  })
  ctx.queued.ring()
}
