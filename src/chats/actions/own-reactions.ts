import { type Actor, chatNames } from '../../accounts/accounts.ts'
import type { Context } from '../../context.ts'
import type { Tx } from '../../db/database.ts'
import type { ChatMessageRow, ConversationRow } from '../../db/tables.ts'
import { notFound } from '../../entities/entities.ts'
import { Refusal } from '../../errors.ts'
import { enqueueDeliveries } from '../../outbound/deliveries.ts'
import { requireChat } from '../conversations/chat-rights.ts'
import { changeConversation } from '../conversations/conversation-changes.ts'
import { findMessage } from '../messages/message-queries.ts'
import { deleteReaction, putReaction, reactionOf } from '../messages/reaction-queries.ts'
import { CALLBACK_HEADERS, channelClosed, closedBy } from '../messages/send.ts'
import { type Destination, findDestination } from '../scopes/destination-queries.ts'
import { callbackUrlOf, circuitOf, scopeIdOf } from '../scopes/scopes.ts'
import { reactionBody, receivesActions } from './action-body.ts'

/**
 * Sets the reaction of a user to a message, or removes it (null), and queues its callback in the order of the chat (C25). Throws
 * Refusal: `not_found`, `forbidden`, or `conflict` if the provider cannot receive it.
 */
export async function reactAs(
  ctx: Context,
  actor: Actor,
  [chat_id, message_id]: readonly [string, string],
  emoji: string | null,
): Promise<ChatMessageRow> {
  const message = await ctx.db.transaction().execute(async (tx) => {
    const conversation = await requireChat(tx, actor, chat_id)
    const found = await findMessage(tx, actor.account_id, message_id)
    if (found?.conversation_id !== conversation.id) throw notFound()
    const destination = await findDestination(tx, conversation)
    if (!destination || closedBy(destination)) throw channelClosed()
    if (!receivesActions(destination)) throw withoutActions()
    const change = await changeReaction(ctx, tx, actor, found, emoji)
    if (!change) return found
    await queueReaction(ctx, tx, actor, { conversation, destination, message: found }, change)
    await changeConversation(ctx, tx, conversation, {})
    return found
  })
  ctx.queued.ring()
  return message
}

type Change = { type: 'react' | 'unreact'; emoji: string }

/** Null: the reaction was the same before. */
async function changeReaction(
  ctx: Context,
  tx: Tx,
  { user_id }: Actor,
  message: ChatMessageRow,
  emoji: string | null,
): Promise<Change | null> {
  const { account_id, id: message_id } = message
  const author = `user:${user_id}`
  const before = await reactionOf(tx, message, author)
  if (emoji === null) {
    if (!before) return null
    await deleteReaction(tx, before)
    return { type: 'unreact', emoji: before.emoji }
  }
  if (before?.emoji === emoji) return null
  await putReaction(tx, { account_id, message_id, author, emoji, created_at: ctx.now() }, before)
  return { type: 'react', emoji }
}

interface Reacted {
  conversation: ConversationRow
  destination: Destination
  message: ChatMessageRow
}

/** Every attempt sends the same bytes. */
async function queueReaction(
  ctx: Context,
  tx: Tx,
  { account_id, user_id, request_id }: Actor,
  { conversation, destination, message }: Reacted,
  change: Change,
): Promise<void> {
  const { channel, account } = destination
  const amojo_id = (await chatNames(tx, [user_id])).get(user_id)?.amojo_id ?? ''
  const draft = {
    account_id,
    kind: 'chat_action',
    subject: message.id,
    ordering_key: `chat ${conversation.id}`,
    circuit: circuitOf(channel.id),
    method: 'POST' as const,
    url: callbackUrlOf(channel, scopeIdOf(channel.id, account.amojo_id)),
    headers: CALLBACK_HEADERS,
    body: reactionBody(
      { conversation, destination, amojo_id, at: ctx.now() },
      { msgid: message.id, ...change },
    ),
    request_id,
    trace_context: ctx.traces.of(request_id),
  }
  await enqueueDeliveries(tx, [draft], ctx.now())
}

const withoutActions = (): Refusal =>
  new Refusal(
    'conflict',
    'The channel of this chat receives no reactions: its provider connected with hook_api_version v1.',
    { code: 'reactions_unsupported' },
  )
