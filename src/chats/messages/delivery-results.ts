import type { Context } from '../../context.ts'
import type { Tx } from '../../db/database.ts'
import { writeTogether } from '../../db/row-sets.ts'
import type { ChatMessageRow } from '../../db/tables.ts'
import { changeConversation } from '../conversations/conversation-changes.ts'
import { lockConversationsOf, updateConversations } from '../conversations/conversation-queries.ts'
import { findMessages, updateMessages } from './message-queries.ts'

/** Why a message was not delivered. A failure that the provider reported has an `error_code` instead. */
export type MessageFailure =
  | 'exhausted'
  | 'refused'
  | 'gone'
  | 'stopped'
  | 'disconnected'
  | 'bad_url'
  | 'forbidden_address'

interface SentMessageId {
  account_id: number
  message_id: string
}

/** Marks messages as failed after their deliveries were cancelled. Only pending messages change. */
export const failMessages = (
  ctx: Context,
  tx: Tx,
  failed: SentMessageId[],
  reason: MessageFailure,
): Promise<void> => recordResults(ctx, tx, failed, { state: 'failed', error: reason })

/**
 * Records the result of deliveries. Only pending messages change: a status that the provider reported meanwhile (C9)
 * says more than that the callback was accepted.
 */
export async function recordResults(
  ctx: Context,
  tx: Tx,
  sent: SentMessageId[],
  change: Pick<ChatMessageRow, 'state' | 'error'>,
): Promise<void> {
  const accounts = Map.groupBy(sent, (one) => one.account_id)
  for (const [account_id, own] of [...accounts].sort(([a], [b]) => a - b)) {
    const ids = own.map(({ message_id }) => message_id)
    const conversations = await lockConversationsOf(tx, account_id, ids)
    // Read after the lock, so that states that changed before it are seen.
    const pending = (await findMessages(tx, account_id, ids)).filter(({ state }) => state === 'pending')
    const touched = new Set(pending.map(({ conversation_id }) => conversation_id))
    await writeTogether(tx, async () => {
      await updateMessages(
        tx,
        pending.map(({ id }) => ({ account_id, id, ...change })),
      )
      await updateConversations(
        tx,
        conversations
          .filter(({ id }) => touched.has(id))
          .map(({ id, version }) => ({ account_id, id, version: version + 1, changed_at: ctx.now() })),
      )
    })
  }
}

/** Announces the conversation of a message that will be tried again, so that open clients show the attempt. */
export async function announceRetry(
  ctx: Context,
  tx: Tx,
  { account_id, message_id }: SentMessageId,
): Promise<void> {
  for (const conversation of await lockConversationsOf(tx, account_id, [message_id]))
    await changeConversation(ctx, tx, conversation, {})
}
