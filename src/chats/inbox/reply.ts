import type { Actor } from '../../accounts/accounts.ts'
import type { Context } from '../../context.ts'
import type { Tx } from '../../db/database.ts'
import type { ChatMessageRow, ConversationRow } from '../../db/tables.ts'
import { findFiles } from '../../drive/drive.ts'
import { notFound } from '../../entities/entities.ts'
import { invalid, noSuch, Refusal } from '../../errors.ts'
import { findDeliveries, retryDelivery } from '../../outbound/deliveries.ts'
import { requireChat } from '../conversations/chat-rights.ts'
import { changeConversation } from '../conversations/conversation-changes.ts'
import { announceTalk } from '../conversations/webhook-talks.ts'
import { findMessage } from '../messages/message-queries.ts'
import {
  CHAT_MESSAGE,
  changeMessage,
  channelClosed,
  closedBy,
  type OutgoingDraft,
  queueMessage,
  sendMessage,
} from '../messages/send.ts'
import { findDestination } from '../scopes/destination-queries.ts'
import { sentTemplate } from '../templates/sent-templates.ts'
import type { NewMessage } from './chat-schemas.ts'

/** Writes and queues a message of a user in a chat. */
export async function writeMessage(
  ctx: Context,
  actor: Actor,
  id: string,
  draft: NewMessage,
): Promise<ChatMessageRow> {
  const message = await ctx.db.transaction().execute(async (tx) => {
    const conversation = await requireChat(tx, actor, id)
    return sendMessage(ctx, tx, actor, conversation, await readDraft(tx, actor, draft))
  })
  ctx.queued.ring()
  return message
}

type DraftMembers = { [member in keyof NewMessage]?: NewMessage[member] | undefined }

/** A text without a file must not be blank. `path` is the member that names the file. */
export async function readDraft(
  tx: Tx,
  actor: Actor,
  { text = '', file_uuid, template, request_id = '0' }: DraftMembers,
  path = 'file_uuid',
): Promise<OutgoingDraft> {
  const used = template && (await sentTemplate(tx, actor, template, String(request_id)))
  const draft = { text, template: used, origin: 'person' as const }
  if (file_uuid === undefined) {
    requireText(text, String(request_id))
    return draft
  }
  const uuid = file_uuid.toLowerCase()
  const file = (await findFiles(tx, actor.account_id, [uuid])).get(uuid)
  if (!file) throw invalid(path, 'NotSupportedChoice', noSuch('file'), String(request_id))
  return { ...draft, file }
}

/** Refuses a text without a character. */
function requireText(text: string, request_id: string): void {
  if (text.trim() === '') throw invalid('text', 'NotBlank', 'This value should not be blank.', request_id)
}

/** Marks a chat as read. */
export function markRead(ctx: Context, actor: Actor, id: string): Promise<ConversationRow> {
  return ctx.db.transaction().execute(async (tx) => {
    const conversation = await requireChat(tx, actor, id)
    if (conversation.unread_count > 0) {
      await changeConversation(ctx, tx, conversation, { unread_count: 0 })
      await announceTalk(ctx, tx, actor, 'update_talk', conversation)
    }
    return conversation
  })
}

/**
 * Sends a failed message again, under the same `webhook-id` and with the same bytes. A new delivery replaces one
 * that is no longer stored, and one that was accepted before the provider reported a failure, because the provider
 * would ignore the old id.
 */
export async function sendMessageAgain(
  ctx: Context,
  actor: Actor,
  id: string,
  message_id: string,
): Promise<ChatMessageRow> {
  const message = await ctx.db.transaction().execute(async (tx) => {
    const conversation = await requireChat(tx, actor, id)
    const found = await findMessage(tx, actor.account_id, message_id)
    if (found?.conversation_id !== conversation.id) throw notFound()
    if (found.state !== 'failed')
      throw new Refusal('conflict', 'Only a message that has failed can be sent again')
    const delivery_id = await deliverAgain(ctx, tx, actor, conversation, found)
    const change = { state: 'pending', error: null, error_code: null, delivery_id }
    await changeConversation(ctx, tx, conversation, {})
    return changeMessage(tx, found, change)
  })
  ctx.queued.ring()
  return message
}

/** Sends the failed message of a delivery again. Throws Refusal: `not_found`, or `conflict` if it has not failed. */
export async function sendDeliveredMessageAgain(
  ctx: Context,
  actor: Actor,
  message_id: string,
): Promise<void> {
  const message = await findMessage(ctx.db, actor.account_id, message_id)
  if (!message) throw notFound()
  await sendMessageAgain(ctx, actor, message.conversation_id, message_id)
}

async function deliverAgain(
  ctx: Context,
  tx: Tx,
  actor: Actor,
  conversation: ConversationRow,
  message: ChatMessageRow,
): Promise<number> {
  const { account_id } = actor
  const destination = await findDestination(tx, conversation)
  if (!destination || closedBy(destination)) throw channelClosed()
  const deliveries = await findDeliveries(tx, account_id, CHAT_MESSAGE, [message.id])
  const delivery = deliveries.find((one) => one.id === message.delivery_id)
  // The provider reported a failure while the delivery was still in progress.
  if (delivery?.ended_at === null) return delivery.id
  if (delivery?.state !== 'failed') {
    const by = { ...actor, user_id: message.user_id }
    return queueMessage(ctx, tx, by, conversation, message, destination)
  }
  await retryDelivery(tx, account_id, delivery.id, ctx.now())
  return delivery.id
}
