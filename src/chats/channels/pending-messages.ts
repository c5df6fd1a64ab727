import type { Context } from '../../context.ts'
import type { Tx } from '../../db/database.ts'
import { cancelDeliveries, type DeliveryKey, findPending } from '../../outbound/deliveries.ts'
import { lockConversationsAtOnce, lockConversationsOf } from '../conversations/conversation-queries.ts'
import { failMessages, type MessageFailure } from '../messages/delivery-results.ts'
import { CHAT_MESSAGE } from '../messages/send.ts'
import { circuitOf } from '../scopes/scopes.ts'

/** The undelivered messages of a channel, of one account or of all. */
interface PendingQuery {
  channel_id: string
  account_id?: number
}

/**
 * Locks the conversations of the pending messages of some channels. A sender locks the conversation first and then reads
 * the channel; closing a channel uses the same order, to avoid a deadlock.
 */
export async function lockPending(tx: Tx, ...parts: PendingQuery[]): Promise<void> {
  for (const { account_id, messages } of await pendingIn(tx, parts))
    await lockConversationsOf(tx, account_id, messages)
}

/**
 * Cancels the pending deliveries and marks their messages as failed. Call lockPending first, and close the channel: then
 * nothing more is queued. A message can have been queued in between in another conversation. Its lock is not waited for,
 * because the next sender there can have it and wait for the channel; the transaction fails, and `retryOnConflict` repeats
 * it.
 */
export async function failPending(
  ctx: Context,
  tx: Tx,
  part: PendingQuery,
  reason: MessageFailure,
): Promise<void> {
  for (const { account_id, messages } of await pendingIn(tx, [part]))
    await lockConversationsAtOnce(tx, account_id, messages)
  const ended = await cancelDeliveries(tx, inCircuit(part), ctx.now())
  const messages = ended
    .filter(({ kind }) => kind === CHAT_MESSAGE)
    .map(({ account_id, subject }) => ({ account_id, message_id: subject }))
  if (messages.length > 0) await failMessages(ctx, tx, messages, reason)
}

/** The ids of the pending messages by account, in the order of the accounts. */
async function pendingIn(tx: Tx, parts: readonly PendingQuery[]) {
  const found: DeliveryKey[] = []
  for (const part of parts) found.push(...(await findPending(tx, inCircuit(part))))
  const accounts = Map.groupBy(found, (row) => row.account_id)
  return [...accounts]
    .sort(([a], [b]) => a - b)
    .map(([account_id, rows]) => ({ account_id, messages: rows.map(({ subject }) => subject) }))
}

const inCircuit = ({ channel_id, account_id }: PendingQuery) => ({
  circuit: circuitOf(channel_id),
  account_id,
})
