import { ulidToUUID } from 'ulid'
import { actingIntegration } from '../../accounts/accounts.ts'
import type { Context } from '../../context.ts'
import type { Tx } from '../../db/database.ts'
import { writeTogether } from '../../db/row-sets.ts'
import type { ChatMessageRow, ConversationRow } from '../../db/tables.ts'
import { newUlid } from '../../db/ulids.ts'
import { type Cause, recordEvents } from '../../events/events.ts'
import { type ChatSubject, changeConversation, subjectOf } from '../conversations/conversation-changes.ts'
import { announceTalk } from '../conversations/webhook-talks.ts'
import { insertMessages } from './message-queries.ts'
import { announceMessage } from './webhook-messages.ts'

/** A message without its position in a conversation. See ChatMessageRow. */
export interface MessageDraft
  extends Pick<ChatMessageRow, 'direction' | 'origin' | 'type' | 'text' | 'state' | 'sent_at'>,
    Partial<
      Pick<
        ChatMessageRow,
        | 'sender_id'
        | 'external_id'
        | 'body_hash'
        | 'media'
        | 'thumbnail'
        | 'file_name'
        | 'file_size'
        | 'file_uuid'
        | 'content'
      >
    > {
  /** From newMessageId, if the callback has to name the message. */
  id?: string
  delivery_id?: number
}

/** The id of a message: a UUID that rises with the clock. */
export const newMessageId = (ctx: Context): string => ulidToUUID(newUlid(ctx).toUpperCase()).toLowerCase()

/**
 * Writes a message at the end of a locked conversation and records its event, on the lead of the conversation, or on its
 * contact if there is no live lead (E5). Changes `conversation` as its row is changed. To save queries,
 * callers pass the subject, or that the account has no webhook, if they know it. `is_silent` leaves the unread count as it
 * is.
 */
export async function appendMessage(
  ctx: Context,
  tx: Tx,
  by: Cause,
  conversation: ConversationRow,
  draft: MessageDraft,
  known: { subject?: ChatSubject | undefined; is_silent?: boolean; has_webhooks?: boolean } = {},
): Promise<ChatMessageRow> {
  const now = ctx.now()
  const row: ChatMessageRow = {
    by_integration: actingIntegration(by),
    sender_id: null,
    external_id: null,
    body_hash: null,
    media: null,
    thumbnail: null,
    file_name: null,
    file_size: null,
    file_uuid: null,
    content: '{}',
    delivery_id: null,
    ...draft,
    account_id: conversation.account_id,
    id: draft.id ?? newMessageId(ctx),
    conversation_id: conversation.id,
    position: conversation.last_position + 1,
    talk_id: conversation.talk_id,
    channel_id: conversation.channel_id,
    user_id: by.user_id,
    error_code: null,
    error: null,
    created_at: now,
    edited_at: null,
  }
  const wasUnread = conversation.unread_count > 0
  const subject = known.subject ?? (await subjectOf(tx, conversation))
  await writeTogether(tx, async () => {
    await insertMessages(tx, [row])
    await changeConversation(ctx, tx, conversation, {
      last_position: row.position,
      last_message_id: row.id,
      last_message_at: now,
      ...(!known.is_silent && { unread_count: unreadAfter(row, conversation) }),
      ...(row.direction === 'in' && { typing_until: null }),
    })
    await recordMessage(ctx, tx, by, row, subject)
  })
  if (known.has_webhooks === false) return row
  await announceMessage(ctx, tx, by, conversation, row, subject)
  if (wasUnread && conversation.unread_count === 0)
    await announceTalk(ctx, tx, by, 'update_talk', conversation)
  return row
}

/** A user who answers has read the conversation; the bot has not. */
function unreadAfter({ direction, user_id }: ChatMessageRow, { unread_count }: ConversationRow): number {
  if (direction === 'in') return unread_count + 1
  return user_id === 0 ? unread_count : 0
}

async function recordMessage(
  ctx: Context,
  tx: Tx,
  by: Cause,
  { id, talk_id, channel_id, direction }: ChatMessageRow,
  subject: ChatSubject,
): Promise<void> {
  const type = direction === 'in' ? 'incoming_chat_message' : 'outgoing_chat_message'
  const after = [{ message: { id, talk_id, origin: channel_id } }]
  await recordEvents(ctx, tx, by, [{ type, ...subject, after }])
}
