import type { Context } from '../../context.ts'
import type { ChatCaller } from '../scopes/chat-caller.ts'
import type { Typing } from '../scopes/provider-schemas.ts'
import { changeConversation } from './conversation-changes.ts'
import { findConversation, lockConversation } from './conversation-queries.ts'

/** A provider repeats the report while the sender is typing. */
const LONGEST_MS = 60_000
const USUAL_MS = 5_000

/**
 * Shows that the sender is typing (C9); 0 ms ends it. If there is no conversation yet, there is nothing to show.
 */
export async function showTyping(
  ctx: Context,
  { channel, account }: ChatCaller,
  { conversation_id, duration_ms }: Typing,
): Promise<void> {
  const shown_ms = Math.min(duration_ms ?? USUAL_MS, LONGEST_MS)
  const until = ctx.clock() + shown_ms
  const typing_until = shown_ms === 0 ? null : Math.ceil(until / 1000)
  await ctx.db.transaction().execute(async (tx) => {
    const found = await findConversation(tx, {
      account_id: account.id,
      channel_id: channel.id,
      external_id: conversation_id,
    })
    const conversation = found && (await lockConversation(tx, account.id, found.id))
    if (conversation && conversation.typing_until !== typing_until)
      await changeConversation(ctx, tx, conversation, { typing_until })
  })
}
