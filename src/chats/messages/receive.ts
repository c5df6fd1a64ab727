import { findMemberByAmojoId } from '../../accounts/accounts.ts'
import type { Context } from '../../context.ts'
import type { Tx } from '../../db/database.ts'
import type { ChatMessageRow, ChatSenderRow, ConversationRow } from '../../db/tables.ts'
import { invalid, Refusal } from '../../errors.ts'
import { type Cause, recordEvents } from '../../events/events.ts'
import { type ChatText, takeChatMessage } from '../../incoming-leads/incoming-leads.ts'
import { chooseReply } from '../bot/bot.ts'
import { retryOnConflict } from '../conversations/conflicts.ts'
import {
  type ConversationDraft,
  ensureConversation,
  resolveConversation,
} from '../conversations/conversations.ts'
import { type PushedPerson, senderOf } from '../conversations/senders.ts'
import type { ChatCaller } from '../scopes/chat-caller.ts'
import { botIdOf } from '../scopes/scopes.ts'
import type { ChatSource, SourcesOfChats } from '../scopes/sources.ts'
import { appendMessage, newMessageId } from './append-message.ts'
import { editMessage } from './edit.ts'
import { type Protocol, shownText } from './message-kinds.ts'
import { contentOf, hashOf } from './push-content.ts'
import { type NewMessage, type PushAnswer, readPush } from './push-schemas.ts'
import { withQuote } from './quotes.ts'
import { conversationOf, customerOf } from './referred-ids.ts'
import { sendMessage } from './send.ts'

/**
 * Takes a push of a provider (C4, C5): a new message, or in the live protocol the edit of an old one. Throws
 * Refusal('invalid') naming each wrong member, or 'conflict' if the `msgid` was used before with another payload.
 */
export async function receivePush(
  ctx: Context,
  sources: SourcesOfChats,
  caller: ChatCaller,
  body: unknown,
): Promise<PushAnswer> {
  const push = readPush(caller.channel.protocol as Protocol, body)
  const { answer, is_answered } = await retryOnConflict(() =>
    ctx.db
      .transaction()
      .execute((tx) =>
        push.event_type === 'edit_message'
          ? editMessage(ctx, tx, caller, push.payload).then((answer) => ({ answer, is_answered: false }))
          : takeMessage(ctx, tx, sources, caller, push.payload, hashOf((body as typeof push).payload)),
      ),
  )
  if (is_answered) ctx.queued.ring()
  return answer
}

interface Taken {
  answer: PushAnswer
  /** The bot has written a message that is to be delivered. */
  is_answered: boolean
}

async function takeMessage(
  ctx: Context,
  tx: Tx,
  sources: SourcesOfChats,
  caller: ChatCaller,
  payload: NewMessage,
  body_hash: Buffer,
): Promise<Taken> {
  const author = await authorOf(tx, caller, payload)
  const is_silent = payload.silent ?? false
  const draft: ConversationDraft = {
    external_id: await conversationOf(tx, caller, payload),
    sender: senderOf(author ? author.receiver : await customerOf(tx, caller, payload.sender, 'sender')),
    source_external_id: payload.source?.external_id || null,
    findSource: (external_id) => sourceOf(tx, sources, caller, external_id),
    is_silent,
    is_unread: !is_silent && !author,
  }
  const state = await resolveConversation(tx, caller, draft, payload.msgid)
  if (state.message) {
    if (!state.message.body_hash?.equals(body_hash))
      throw new Refusal('conflict', 'A message with this msgid was received before with another payload.')
    const answer = answerOf(payload, state.message, state.sender as ChatSenderRow, author)
    return { answer, is_answered: false }
  }
  const lead_id = state.conversation?.lead_id
  // Under the lock, so that the ids of a conversation have the order of its messages.
  const shown: ChatText = { id: newMessageId(ctx), text: shownText(payload.message) }
  const opened = await ensureConversation(ctx, tx, caller, { ...draft, message: shown }, state)
  const { conversation, sender, subject } = opened
  const message = await appendMessage(
    ctx,
    tx,
    author ? { ...caller.cause, user_id: author.user_id } : caller.cause,
    conversation,
    {
      ...contentOf(await withQuote(tx, caller, payload, conversation.id)),
      ...directionOf(sender, author),
      id: shown.id,
      body_hash,
    },
    { subject, is_silent, has_webhooks: state.has_webhooks },
  )
  // A chat that this message opened has its text already.
  const isIncoming = state.is_incoming && !author && conversation.lead_id === lead_id
  if (isIncoming && lead_id) await takeChatMessage(ctx, tx, caller.cause, lead_id, shown)
  const isForBot = state.has_intents && !is_silent && !author
  const is_answered = isForBot && (await sendReply(ctx, tx, caller, conversation, message))
  return { answer: answerOf(payload, message, sender, author), is_answered }
}

/** A channel without an integration has no sources. */
const sourceOf = async (
  tx: Tx,
  { sourceFor }: SourcesOfChats,
  { account, channel: { integration_id } }: ChatCaller,
  external_id: string | null,
): Promise<ChatSource | undefined> =>
  integration_id === null ? undefined : sourceFor(tx, account.id, { integration_id, external_id })

/** An imported message of a user was delivered long ago. */
const directionOf = (sender: ChatSenderRow, author: Author | undefined) =>
  author
    ? { direction: 'out', state: 'delivered', sender_id: null }
    : { direction: 'in', state: 'received', sender_id: sender.id }

const answerOf = (
  { msgid }: NewMessage,
  { id, conversation_id }: Pick<ChatMessageRow, 'id' | 'conversation_id'>,
  sender: ChatSenderRow,
  author: Author | undefined,
): PushAnswer => ({
  new_message: {
    conversation_id,
    sender_id: author ? author.amojo_id : sender.id,
    receiver_id: author ? sender.id : null,
    msgid: id,
    ref_id: msgid,
  },
})

/** The user, or the bot as user 0, who wrote an imported message. */
interface Author {
  user_id: number
  amojo_id: string
  receiver: PushedPerson
}

/** Undefined if the customer wrote the message. */
async function authorOf(
  tx: Tx,
  caller: ChatCaller,
  { sender, receiver }: NewMessage,
): Promise<Author | undefined> {
  const { account, channel } = caller
  if (!sender.ref_id || !receiver) return undefined
  const user_id = sender.ref_id === botIdOf(channel.id) ? 0 : await memberWith(tx, account.id, sender.ref_id)
  return { user_id, amojo_id: sender.ref_id, receiver: await customerOf(tx, caller, receiver, 'receiver') }
}

async function memberWith(tx: Tx, account_id: number, amojo_id: string): Promise<number> {
  const member = await findMemberByAmojoId(tx, account_id, amojo_id)
  if (!member) throw invalid('payload.sender.ref_id', 'NotSupportedChoice', 'sender: user not found')
  return member.user_id
}

/** Sends the answer of the bot, in the transaction of the push. Returns whether there is one. */
async function sendReply(
  ctx: Context,
  tx: Tx,
  caller: ChatCaller,
  conversation: ConversationRow,
  message: ChatMessageRow,
): Promise<boolean> {
  const reply = await chooseReply(ctx, tx, caller, conversation, message)
  if (!reply) return false
  const by: Cause = { ...caller.cause, integration: null }
  await sendMessage(ctx, tx, by, conversation, { text: reply.text, origin: 'bot' })
  await recordEvents(ctx, tx, by, [{ type: 'robot_replied', ...reply.event }])
  return true
}
