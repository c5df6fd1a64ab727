import type { Context } from '../../context.ts'
import type { Tx } from '../../db/database.ts'
import { nextId } from '../../db/dialect.ts'
import type { ChatSenderRow, ConversationRow, EntityRow } from '../../db/tables.ts'
import { lockSurvivor } from '../../entities/entities.ts'
import type { Cause } from '../../events/events.ts'
import { LOST, WON } from '../../pipelines/pipelines.ts'
import type { ChatCaller } from '../scopes/chat-caller.ts'
import { findOrAddContact, incomingChat, linkContact, newChatsWait, openLead } from './contact-matching.ts'
import { changeConversation } from './conversation-changes.ts'
import type { ConversationDraft } from './conversations.ts'
import { insertTalk, updateTalk } from './talk-queries.ts'
import { announceTalk } from './webhook-talks.ts'

interface TalkDraft extends Pick<ConversationRow, 'contact_id' | 'lead_id'> {
  /** Whether the message that it is opened for makes the conversation unread. The message is written afterwards. */
  is_unread?: boolean | undefined
}

/** Opens a talk about these records and returns its id. It is announced once it has a contact (C14). */
export async function openTalk(
  ctx: Context,
  tx: Tx,
  by: Cause,
  conversation: ConversationRow,
  { contact_id, lead_id, is_unread }: TalkDraft,
): Promise<number> {
  const { account_id, id: conversation_id, last_position: position } = conversation
  const now = ctx.now()
  const id = await nextId(tx, 'talks')
  const times = { created_at: now, updated_at: now, closed_at: null }
  await insertTalk(tx, { account_id, id, conversation_id, position, contact_id, lead_id, ...times })
  if (contact_id > 0)
    await announceTalk(ctx, tx, by, 'add_talk', afterMessage({ ...conversation, talk_id: id }, is_unread))
  return id
}

const afterMessage = (conversation: ConversationRow, is_unread = false): ConversationRow => ({
  ...conversation,
  unread_count: conversation.unread_count + Number(is_unread),
})

/**
 * Starts a new talk with these records in a locked conversation, and closes the previous one if it is still open. In a
 * conversation without a contact, the first talk gets the records.
 */
export async function startTalk(
  ctx: Context,
  tx: Tx,
  by: Cause,
  conversation: ConversationRow,
  { contact_id, lead_id, is_unread }: TalkDraft,
): Promise<void> {
  const { account_id, talk_id: id, is_in_work } = conversation
  const now = ctx.now()
  if (conversation.contact_id === 0) {
    await updateTalk(tx, { account_id, id, contact_id, lead_id, updated_at: now })
    await changeConversation(ctx, tx, conversation, { contact_id, lead_id })
    return announceTalk(ctx, tx, by, 'add_talk', afterMessage(conversation, is_unread))
  }
  if (is_in_work === 1) {
    await updateTalk(tx, { account_id, id, updated_at: now, closed_at: now })
    await announceTalk(ctx, tx, by, 'update_talk', conversation)
  }
  const talk_id = await openTalk(ctx, tx, by, conversation, { contact_id, lead_id, is_unread })
  await changeConversation(ctx, tx, conversation, { talk_id, contact_id, lead_id, is_in_work: 1 })
}

/** The lead of a conversation, or one that it could get, locked; null if it is in the trash, won or lost. */
export async function openLeadOf(
  tx: Tx,
  { account_id, lead_id }: Pick<ConversationRow, 'account_id' | 'lead_id'>,
): Promise<EntityRow | null> {
  const lead = lead_id === null ? undefined : await lockSurvivor(tx, account_id, 'leads', lead_id)
  return lead && lead.status_id !== WON && lead.status_id !== LOST ? lead : null
}

/**
 * Continues a conversation whose talk is closed, whose contact is in the trash or whose lead is missing. A contact in
 * the trash is replaced by another one. A closed talk is followed by a new one with the same lead, as long as that lead
 * is neither won nor lost.
 */
export async function reopenConversation(
  ctx: Context,
  tx: Tx,
  caller: ChatCaller,
  conversation: ConversationRow,
  sender: ChatSenderRow,
  { is_silent = false, is_unread, message, findSource }: ConversationDraft,
): Promise<void> {
  const { account_id, talk_id, contact_id } = conversation
  const own = await lockSurvivor(tx, account_id, 'contacts', contact_id)
  const isReplaced = own?.id !== contact_id
  const keepsTalk = conversation.is_in_work === 1 && !isReplaced
  const open = keepsTalk ? null : await openLeadOf(tx, conversation)
  const kept = keepsTalk ? conversation.lead_id : (open?.id ?? null)
  const opensLead = kept === null && !is_silent
  const source = opensLead ? await findSource?.(conversation.source_external_id) : undefined
  // A new contact waits with its lead.
  const waits = open ? open.is_unsorted === 1 : !is_silent && (await newChatsWait(tx, caller, source))
  const contact = own ?? (await findOrAddContact(ctx, tx, caller, sender, waits))
  if (kept !== null && isReplaced) await linkContact(ctx, tx, caller, kept, contact)
  const waiting = waits ? incomingChat(caller, conversation, sender, message) : null
  const lead_id = opensLead ? await openLead(ctx, tx, caller, contact, { source, waiting }) : kept
  const talk = { contact_id: contact.id, lead_id, is_unread }
  if (!keepsTalk) return startTalk(ctx, tx, caller.cause, conversation, talk)
  await updateTalk(tx, { account_id, id: talk_id, lead_id, updated_at: ctx.now() })
  await changeConversation(ctx, tx, conversation, { lead_id, is_in_work: 1 })
}
