import type { Context } from '../context.ts'
import type { ChatSenderRow } from '../db/tables.ts'
import type { ChatCaller } from './caller.ts'
import { type ConversationDraft, holdConversation, settleConversation } from './conversations.ts'
import type { NewChat, Participant, ProviderChat } from './provider-schemas.ts'
import { tryAgain } from './push.ts'
import { senderOf } from './senders.ts'

/** Opens a conversation before anybody has written in it (C9); again: answers the same one. */
export async function createChat(
  ctx: Context,
  caller: ChatCaller,
  { conversation_id, source, user }: NewChat,
): Promise<ProviderChat> {
  const draft: ConversationDraft = {
    external_id: conversation_id,
    sender: senderOf(user),
    source_external_id: source?.external_id || null,
  }
  return tryAgain(() =>
    ctx.db.transaction().execute(async (tx) => {
      const held = await holdConversation(tx, caller, draft)
      const { conversation, sender } = await settleConversation(ctx, tx, caller, draft, held)
      return { id: conversation.id, user: clientView(sender) }
    }),
  )
}

/** Somebody on the provider's side. What he has not told of himself is left out. */
export const clientView = ({ id, external_id, name, avatar, phone, email }: ChatSenderRow): Participant => ({
  id,
  client_id: external_id,
  name,
  avatar: avatar ?? '',
  ...(phone && { phone }),
  ...(email && { email }),
})
