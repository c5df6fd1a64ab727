import type { Context } from '../../context.ts'
import type { Tx } from '../../db/database.ts'
import { cancelDeliveries, findPending } from '../../outbound/deliveries.ts'
import { lockConversationsOf } from '../conversations/conversation-queries.ts'
import { failMessages, type MessageFailure } from '../messages/delivery-results.ts'
import { CHAT_MESSAGE } from '../messages/send.ts'
import { circuitOf } from '../scopes/scopes.ts'

/** The undelivered messages of a channel, of one account or of all. */
interface PendingQuery {
  channel_id: string
  account_id?: number
}

/**
 * Locks the conversations of the pending messages. A sender locks the conversation first and then reads the
 * channel; closing a channel uses the same order, to avoid a deadlock.
 */
export async function lockPending(tx: Tx, { channel_id, account_id }: PendingQuery): Promise<void> {
  const pending = await findPending(tx, { circuit: circuitOf(channel_id), account_id })
  const accounts = Map.groupBy(pending, (row) => row.account_id)
  for (const [account, rows] of [...accounts].sort(([a], [b]) => a - b))
    await lockConversationsOf(
      tx,
      account,
      rows.map(({ subject }) => subject),
    )
}

/** Cancels the pending deliveries and marks their messages as failed. Call lockPending first. */
export async function failPending(
  ctx: Context,
  tx: Tx,
  { channel_id, account_id }: PendingQuery,
  reason: MessageFailure,
): Promise<void> {
  const ended = await cancelDeliveries(tx, { circuit: circuitOf(channel_id), account_id }, ctx.now())
  const messages = ended
    .filter(({ kind }) => kind === CHAT_MESSAGE)
    .map(({ account_id, subject }) => ({ account_id, message_id: subject }))
  if (messages.length > 0) await failMessages(ctx, tx, messages, reason)
}
