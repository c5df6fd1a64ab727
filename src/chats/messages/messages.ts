import { ulidToUUID } from 'ulid'
import type { Context } from '../../context.ts'
import type { Tx } from '../../db/database.ts'
import { writeTogether } from '../../db/row-sets.ts'
import type { ChatMessageRow, ConversationRow } from '../../db/tables.ts'
import { newUlid } from '../../db/ulids.ts'
import { findEntities } from '../../entities/entities.ts'
import { type Cause, recordEvents } from '../../events/events.ts'
import { insertMessages, updateConversations } from './message-queries.ts'

/** A message before it has its place: see ChatMessageRow. */
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
  /** Made by newMessageId, when what is sent has to name it. */
  id?: string
  delivery_id?: number
}

/** The id of a message: a UUID that rises with the clock. */
export const newMessageId = (ctx: Context): string => ulidToUUID(newUlid(ctx).toUpperCase()).toLowerCase()

/**
 * Writes a message at the end of a conversation that the caller has locked, and records it in the log, by the lead of the
 * conversation, or by its contact where it has no lead that stands (E5). `conversation` is changed as its row is. Who
 * knows already what it is about says so, and it is not looked up.
 */
export async function addMessage(
  ctx: Context,
  tx: Tx,
  by: Cause,
  conversation: ConversationRow,
  draft: MessageDraft,
  about?: ChatSubject,
): Promise<ChatMessageRow> {
  const now = ctx.now()
  const row: ChatMessageRow = {
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
  const subject = about ?? (await subjectOf(tx, conversation))
  await writeTogether(tx, async () => {
    await insertMessages(tx, [row])
    await changeConversation(ctx, tx, conversation, {
      last_position: row.position,
      last_message_id: row.id,
      last_message_at: now,
      unread_count: unreadAfter(row, conversation),
      ...(row.direction === 'in' && { typing_until: null }),
    })
    await recordMessage(ctx, tx, by, row, subject)
  })
  return row
}

/** Who answers has read; the bot reads for nobody. */
function unreadAfter({ direction, user_id }: ChatMessageRow, { unread_count }: ConversationRow): number {
  if (direction === 'in') return unread_count + 1
  return user_id === 0 ? unread_count : 0
}

/** Changes a locked conversation, and says that it was changed to who follows it. */
export async function changeConversation(
  ctx: Context,
  tx: Tx,
  conversation: ConversationRow,
  change: Partial<ConversationRow>,
): Promise<void> {
  Object.assign(conversation, change, { version: conversation.version + 1, changed_at: ctx.now() })
  const { account_id, id, version, changed_at } = conversation
  await updateConversations(tx, [{ ...change, account_id, id, version, changed_at }])
}

async function recordMessage(
  ctx: Context,
  tx: Tx,
  by: Cause,
  message: ChatMessageRow,
  about: ChatSubject,
): Promise<void> {
  const value = { message: { id: message.id, talk_id: message.talk_id, origin: message.channel_id } }
  await recordEvents(ctx, tx, by, [
    {
      type: message.direction === 'in' ? 'incoming_chat_message' : 'outgoing_chat_message',
      ...about,
      after: [value],
    },
  ])
}

export type ChatSubject =
  | { entity_type: 'lead'; entity_id: number; talk_contact_id: number }
  | { entity_type: 'contact'; entity_id: number }

/** What events of a conversation are about (E5). */
export async function subjectOf(
  tx: Tx,
  { account_id, lead_id, contact_id }: ConversationRow,
): Promise<ChatSubject> {
  const [lead] = lead_id === null ? [] : await findEntities(tx, account_id, 'leads', [lead_id])
  if (lead && lead.is_deleted === 0)
    return { entity_type: 'lead', entity_id: lead.id, talk_contact_id: contact_id }
  return { entity_type: 'contact', entity_id: contact_id }
}
