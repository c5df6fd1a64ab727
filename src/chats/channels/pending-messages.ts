import type { Context } from '../../context.ts'
import type { Tx } from '../../db/database.ts'
import { cancelDeliveries, findPending } from '../../outbound/deliveries.ts'
import { lockConversationsOf } from '../conversations/conversation-queries.ts'
import { failMessages, type MessageFailure } from '../messages/delivery-results.ts'
import { CHAT_MESSAGE } from '../messages/send.ts'
import { circuitOf } from '../scopes/scopes.ts'

/** What waits to be sent to a channel, of one account or of all. */
export interface Unsent {
  channel_id: string
  account_id?: number
}

/**
 * Locks the conversations of what waits. Who writes locks a conversation, then looks whether its channel is there: who
 * takes the channel away goes the same way, or the two would wait for each other.
 */
export async function lockUnsent(tx: Tx, { channel_id, account_id }: Unsent): Promise<void> {
  const pending = await findPending(tx, { circuit: circuitOf(channel_id), account_id })
  const accounts = Map.groupBy(pending, (row) => row.account_id)
  for (const [account, rows] of [...accounts].sort(([a], [b]) => a - b))
    await lockConversationsOf(
      tx,
      account,
      rows.map(({ subject }) => subject),
    )
}

/** Ends what waits; the messages say why they did not arrive. lockUnsent comes first. */
export async function failUnsent(
  ctx: Context,
  tx: Tx,
  { channel_id, account_id }: Unsent,
  reason: MessageFailure,
): Promise<void> {
  const ended = await cancelDeliveries(tx, { circuit: circuitOf(channel_id), account_id }, ctx.now())
  const messages = ended
    .filter(({ kind }) => kind === CHAT_MESSAGE)
    .map(({ account_id, subject }) => ({ account_id, message_id: subject }))
  if (messages.length > 0) await failMessages(ctx, tx, messages, reason)
}
