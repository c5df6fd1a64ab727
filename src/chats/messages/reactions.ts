import { findMemberByAmojoId } from '../../accounts/accounts.ts'
import type { Context } from '../../context.ts'
import type { Db, Tx } from '../../db/database.ts'
import type { ChatMessageRow, ChatReactionRow, ConversationRow } from '../../db/tables.ts'
import { Refusal } from '../../errors.ts'
import { changeConversation } from '../conversations/conversation-changes.ts'
import { findConversation, lockConversation } from '../conversations/conversation-queries.ts'
import { findSenderByExternalId, findSenders } from '../conversations/participant-queries.ts'
import { isUuid } from '../scopes/channel-queries.ts'
import type { ChatCaller } from '../scopes/chat-caller.ts'
import type { ReactionChange } from '../scopes/provider-schemas.ts'
import { botIdOf } from '../scopes/scopes.ts'
import { missing } from './delivery-status.ts'
import { messageWithId, messageWithMsgid, noMessage } from './named-messages.ts'
import { deleteReaction, putReaction, reactionOf } from './reaction-queries.ts'

/**
 * Sets the reaction of a person on a message, or removes it (C9). Each person has one reaction to a message. Throws
 * Refusal('not_found') if the channel has no such conversation, message or person.
 */
export async function react(ctx: Context, caller: ChatCaller, body: ReactionChange): Promise<void> {
  checkNamed(body)
  await ctx.db.transaction().execute(async (tx) => {
    const conversation = await lockNamed(tx, caller, body)
    const message = conversation && (await namedMessage(tx, caller, body))
    if (!message || message.conversation_id !== conversation.id) throw noMessage()
    const author = await authorOf(tx, caller, body.user)
    const before = await reactionOf(tx, message, author)
    if (body.type === 'react') {
      if (before?.emoji === body.emoji) return
      await putReaction(tx, reactionRow(message, author, body.emoji as string, ctx.now()), before)
    } else {
      // Another emoji has replaced it.
      if (!before || (body.emoji || before.emoji) !== before.emoji) return
      await deleteReaction(tx, before)
    }
    await changeConversation(ctx, tx, conversation, {})
  })
}

/** The conversation, the message and the person each need one of their two ids. */
function checkNamed(body: ReactionChange): void {
  const { conversation_id, conversation_ref_id, id, msgid, user, type, emoji } = body
  if (conversation_id == null && conversation_ref_id == null) throw missing('conversation_id')
  if (id == null && msgid == null) throw missing('msgid')
  if (user.id == null && user.ref_id == null) throw missing('user.id')
  if (type === 'react' && !emoji) throw missing('emoji')
}

async function lockNamed(
  tx: Tx,
  { channel, account }: ChatCaller,
  { conversation_id, conversation_ref_id }: ReactionChange,
): Promise<ConversationRow | undefined> {
  const id =
    conversation_id == null
      ? (conversation_ref_id ?? '')
      : (
          await findConversation(tx, {
            account_id: account.id,
            channel_id: channel.id,
            external_id: conversation_id,
          })
        )?.id
  const conversation = id === undefined ? undefined : await lockConversation(tx, account.id, id)
  return conversation?.channel_id === channel.id ? conversation : undefined
}

const namedMessage = (
  db: Db,
  caller: ChatCaller,
  { id, msgid }: ReactionChange,
): Promise<ChatMessageRow | undefined> =>
  id == null ? messageWithMsgid(db, caller, msgid ?? '') : messageWithId(db, caller, id)

/** `sender:<id>` for a customer, `user:<id>` or `bot` for the account. */
async function authorOf(
  db: Db,
  { channel, account }: ChatCaller,
  { id, ref_id }: ReactionChange['user'],
): Promise<string> {
  if (ref_id && isUuid(ref_id)) {
    const sender = (await findSenders(db, account.id, [ref_id])).get(ref_id)
    if (sender?.channel_id === channel.id) return `sender:${sender.id}`
    if (ref_id === botIdOf(channel.id)) return 'bot'
    const person = await findMemberByAmojoId(db, account.id, ref_id)
    if (person) return `user:${person.user_id}`
  }
  const sender = id == null ? undefined : await findSenderByExternalId(db, account.id, channel.id, id)
  if (!sender) throw new Refusal('not_found', 'user: user not found')
  return `sender:${sender.id}`
}

const reactionRow = (
  { account_id, id }: ChatMessageRow,
  author: string,
  emoji: string,
  created_at: number,
): ChatReactionRow => ({ account_id, message_id: id, author, emoji, created_at })
