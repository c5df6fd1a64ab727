import { chatNames } from '../../accounts/accounts.ts'
import type { Context } from '../../context.ts'
import type { Db, Tx } from '../../db/database.ts'
import type { ChatMessageRow, ChatSenderRow, ConversationRow } from '../../db/tables.ts'
import type { Cause } from '../../events/events.ts'
import {
  announce,
  elementTypes,
  type FormObject,
  findSubscriptions,
  type Sample,
} from '../../webhooks/webhooks.ts'
import { type ChatSubject, subjectFor } from '../conversations/conversation-changes.ts'
import { findConversations } from '../conversations/conversation-queries.ts'
import { findSenders } from '../conversations/participant-queries.ts'
import { botIdOf } from '../scopes/scopes.ts'
import { latestMessage } from './message-queries.ts'

/** Announces a new message of a locked conversation. */
export async function announceMessage(
  ctx: Context,
  tx: Tx,
  by: Cause,
  conversation: ConversationRow,
  message: ChatMessageRow,
  subject: ChatSubject,
): Promise<void> {
  const subscribed = message.direction === 'in' ? 'add_message' : 'add_outgoing_message'
  const subscriptions = await findSubscriptions(tx, by.account_id)
  if (!subscriptions?.has(subscribed)) return
  const item = await itemOf(tx, conversation, message, subject)
  await announce(ctx, tx, by, subscriptions, [
    { codes: [subscribed], record: `talks ${message.talk_id}`, item },
  ])
}

/** The item that the latest message in a direction would announce. */
export const sampleMessage =
  (direction: 'in' | 'out'): Sample =>
  async (db, account_id) => {
    const message = await latestMessage(db, account_id, direction)
    const conversation = message && (await findConversations(db, account_id, [message.conversation_id]))[0]
    if (!message || !conversation) return null
    return itemOf(db, conversation, message, subjectFor(conversation.contact_id, conversation.lead_id))
  }

async function itemOf(
  db: Db,
  conversation: ConversationRow,
  message: ChatMessageRow,
  subject: ChatSubject,
): Promise<FormObject> {
  const { account_id, sender_id } = conversation
  const sender = (await findSenders(db, account_id, [sender_id])).get(sender_id)
  return message.direction === 'in'
    ? incoming(conversation, message, subject, sender)
    : outgoing(db, conversation, message, sender)
}

/** Members of both directions, in the platform's order (docs/wire/webhooks.md#messages). */
const common = ({ contact_id, id: chat_id }: ConversationRow, message: ChatMessageRow) => ({
  id: message.id,
  chat_id,
  talk_id: message.talk_id,
  contact_id,
  text: message.text,
  created_at: message.created_at,
  message_type: message.type,
})

function incoming(
  conversation: ConversationRow,
  message: ChatMessageRow,
  { entity_type, entity_id }: ChatSubject,
  sender: ChatSenderRow | undefined,
): FormObject {
  return {
    ...common(conversation, message),
    element_type: elementTypes[entity_type === 'lead' ? 'leads' : 'contacts'],
    entity_type,
    element_id: entity_id,
    entity_id,
    type: 'incoming',
    author: { ...external(sender), avatar_url: sender?.avatar },
    attachment: attachmentOf(message),
    origin: message.channel_id,
  }
}

async function outgoing(
  db: Db,
  conversation: ConversationRow,
  message: ChatMessageRow,
  sender: ChatSenderRow | undefined,
): Promise<FormObject> {
  const { user_id, channel_id } = message
  const person = user_id === 0 ? undefined : (await chatNames(db, [user_id])).get(user_id)
  const author = person
    ? { id: person.amojo_id, type: 'internal', user_id, name: person.name }
    : { id: botIdOf(channel_id), type: 'bot', name: 'Bot' }
  return {
    ...common(conversation, message),
    type: 'outgoing',
    origin: channel_id,
    author,
    recipient: external(sender),
    attachment: attachmentOf(message),
  }
}

const external = (sender: ChatSenderRow | undefined) => ({
  id: sender?.id,
  type: 'external',
  name: sender?.name,
})

const attachmentOf = ({ type, media, file_name }: ChatMessageRow) =>
  media === null ? null : { type, link: media, file_name }
