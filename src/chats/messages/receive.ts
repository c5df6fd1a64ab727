import { createHash } from 'node:crypto'
import type { Static } from 'typebox'
import type { Context } from '../../context.ts'
import type { Tx } from '../../db/database.ts'
import { isDeadlock, isUniqueViolation } from '../../db/failures.ts'
import type { ChatMessageRow, ChatSenderRow } from '../../db/tables.ts'
import { invalid, Refusal } from '../../errors.ts'
import type { Cause } from '../../events/events.ts'
import { answerByBot } from '../bot/bot.ts'
import { findMemberByAmojoId, findPushed } from '../conversations/conversation-queries.ts'
import {
  type ConversationDraft,
  holdConversation,
  lockItsRecords,
  needsRecords,
  settleConversation,
} from '../conversations/conversations.ts'
import { senderOf } from '../conversations/senders.ts'
import { botIdOf } from '../scopes/bot-id.ts'
import type { ChatCaller } from '../scopes/chat-caller.ts'
import { type Manner, messageKinds } from './message-kinds.ts'
import { findMessage, lockConversation, updateMessages } from './message-queries.ts'
import { addMessage, changeConversation, type MessageDraft } from './messages.ts'
import {
  type EditedMessage,
  liveMessageMembers,
  livePayloadMembers,
  type NewMessage,
  type Push,
  type Pushed,
  type PushedPerson,
  readPush,
} from './push-schemas.ts'

type PushAnswer = Static<typeof Pushed>

/** How often a push is tried when another one was in its way. */
const MOST_TRIES = 3

/**
 * Takes what a provider pushes (C4, C5): a new message, or in the live manner another text for one. Throws
 * Refusal('invalid') naming each wrong member, 'conflict' for a `msgid` that came with something else before.
 */
export async function receivePush(ctx: Context, caller: ChatCaller, body: unknown): Promise<PushAnswer> {
  const push = readPush(caller.channel.manner as Manner, body)
  const write = <T>(act: (tx: Tx) => Promise<T>): Promise<T> =>
    tryAgain(() => ctx.db.transaction().execute(act))
  if (push.event_type === 'edit_message') return write((tx) => editMessage(ctx, tx, caller, push.payload))
  const named = { payload: push.payload, body_hash: hashOf((body as Push).payload) }
  const take = (records: 'locked' | 'free') => write((tx) => takeMessage(ctx, tx, caller, named, records))
  const taken = (await take('free')) ?? (await take('locked'))
  if (!taken) throw new Error('a message that locks its records is taken or refused')
  if (taken.is_replied) ctx.queued.ring()
  return taken.answer
}

/**
 * Of two that write the same at once one may be undone: by a unique key, where nothing was there that it could lock, or
 * as the victim of a deadlock. It then finds what the other wrote.
 */
export async function tryAgain<T>(write: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await write()
    } catch (error) {
      if (tries === MOST_TRIES || !(isUniqueViolation(error) || isDeadlock(error))) throw error
    }
  }
}

/**
 * Null when a contact or a lead would have to be written that is not locked: then nothing is written yet. It is rare, and
 * what they are looked up and locked with is spared every other push.
 */
async function takeMessage(
  ctx: Context,
  tx: Tx,
  caller: ChatCaller,
  { payload, body_hash }: { payload: NewMessage; body_hash: Buffer },
  records: 'locked' | 'free',
): Promise<{ answer: PushAnswer; is_replied: boolean } | null> {
  const writer = await writerOf(tx, caller, payload)
  const draft: ConversationDraft = {
    external_id: payload.conversation_id,
    ref_id: caller.channel.manner === 'live' ? payload.conversation_ref_id : null,
    sender: senderOf(writer ? writer.receiver : payload.sender),
    source_external_id: payload.source?.external_id ?? null,
    is_silent: payload.silent ?? false,
  }
  if (records === 'locked') await lockItsRecords(tx, caller, draft)
  const held = await holdConversation(tx, caller, draft, payload.msgid)
  if (held.message) {
    if (!held.message.body_hash?.equals(body_hash))
      throw new Refusal('conflict', 'A message of this msgid came before with another payload.')
    const answer = answerOf(payload, held.message, held.sender as ChatSenderRow, writer)
    return { answer, is_replied: false }
  }
  if (records === 'free' && needsRecords(draft, held)) return null
  const { conversation, sender, about } = await settleConversation(ctx, tx, caller, draft, held)
  const unread = conversation.unread_count
  const by: Cause = { ...caller.cause, ...(writer && { user_id: writer.user_id }) }
  const written = { ...messageOf(payload, body_hash), ...sideOf(sender, writer) }
  const message = await addMessage(ctx, tx, by, conversation, written, about)
  if (draft.is_silent) await changeConversation(ctx, tx, conversation, { unread_count: unread })
  const isForBot = held.has_intents && !draft.is_silent && !writer
  const is_replied = isForBot && (await answerByBot(ctx, tx, caller, conversation, message))
  return { answer: answerOf(payload, message, sender, writer), is_replied }
}

/** A message that is brought along was sent there long ago. */
const sideOf = (sender: ChatSenderRow, writer: Writer | undefined) =>
  writer
    ? { direction: 'out', state: 'delivered', sender_id: null }
    : { direction: 'in', state: 'received', sender_id: sender.id }

const answerOf = (
  { msgid }: NewMessage,
  { id, conversation_id }: Pick<ChatMessageRow, 'id' | 'conversation_id'>,
  sender: ChatSenderRow,
  writer: Writer | undefined,
): PushAnswer => ({
  new_message: {
    conversation_id,
    sender_id: writer ? writer.amojo_id : sender.id,
    receiver_id: writer ? sender.id : null,
    msgid: id,
    ref_id: msgid,
  },
})

interface Writer {
  user_id: number
  amojo_id: string
  receiver: PushedPerson
}

/**
 * The person of the account, or the bot of the channel (user 0), who wrote a message that the provider brings along;
 * undefined for one from the other side.
 */
async function writerOf(
  tx: Tx,
  { account, channel }: ChatCaller,
  { sender, receiver }: NewMessage,
): Promise<Writer | undefined> {
  if (!sender.ref_id || !receiver) return undefined
  if (sender.ref_id === botIdOf(channel.id)) return { user_id: 0, amojo_id: sender.ref_id, receiver }
  const member = await findMemberByAmojoId(tx, account.id, sender.ref_id)
  if (!member) throw invalid('payload.sender.ref_id', 'NotSupportedChoice', 'sender: user not found')
  return { user_id: member.user_id, amojo_id: sender.ref_id, receiver }
}

const furtherMembers = Object.keys(liveMessageMembers)
const furtherOfPayload = Object.keys(livePayloadMembers)

function messageOf(
  payload: NewMessage,
  body_hash: Buffer,
): Omit<MessageDraft, 'direction' | 'state' | 'sender_id'> {
  const { message } = payload
  const { type } = message
  const holds: readonly string[] = messageKinds[type].holds
  const held = <T>(name: string, value: T | null | undefined): T | null =>
    holds.includes(name) ? (value ?? null) : null
  const content = {
    ...some(
      message,
      ['location', 'contact'].filter((name) => holds.includes(name)),
    ),
    ...some(message, furtherMembers),
    ...some(payload, furtherOfPayload),
  }
  return {
    origin: 'channel',
    type,
    text: message.text ?? '',
    media: held('media', message.media) || null,
    file_name: held('file_name', message.file_name) || null,
    file_size: held('file_size', message.file_size),
    content: JSON.stringify(content),
    external_id: payload.msgid,
    body_hash,
    sent_at: payload.timestamp,
  }
}

/** Those of the members that say something. */
const some = (of: Record<string, unknown>, names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(names.flatMap((name) => (of[name] == null ? [] : [[name, of[name]]])))

/** What makes a payload the same: its members and their values, in whatever order and however they are written. */
const hashOf = (payload: Push['payload']): Buffer =>
  createHash('sha256')
    .update(JSON.stringify(inOrder(payload)))
    .digest()

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder)
  if (typeof value !== 'object' || value === null) return value
  // As pairs: an object would put members first whose names are numbers.
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return { members: members.map(([name, member]) => [name, inOrder(member)]) }
}

/** Another text for a message that was pushed. What changes nothing leaves it as it is. */
async function editMessage(
  ctx: Context,
  tx: Tx,
  { account, channel }: ChatCaller,
  { id, msgid, message: { text } }: EditedMessage,
): Promise<PushAnswer> {
  const found = await findPushed(tx, { account_id: account.id, channel_id: channel.id }, { id, msgid })
  const conversation = found && (await lockConversation(tx, account.id, found.conversation_id))
  const message = found && (await findMessage(tx, account.id, found.id))
  if (!conversation || !message) throw new Refusal('not_found', 'There is no such message in this scope.')
  if (message.text !== text) {
    await updateMessages(tx, [{ account_id: account.id, id: message.id, text, edited_at: ctx.now() }])
    await changeConversation(ctx, tx, conversation, {})
  }
  return {
    new_message: {
      conversation_id: conversation.id,
      sender_id: message.sender_id,
      receiver_id: null,
      msgid: message.id,
      ref_id: message.external_id as string,
    },
  }
}
