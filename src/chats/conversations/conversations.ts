import { randomUUID } from 'node:crypto'
import type { Context } from '../../context.ts'
import type { Tx } from '../../db/database.ts'
import { lockNames, nextId } from '../../db/dialect.ts'
import type { ChatSenderRow, ConversationRow, EntityRow } from '../../db/tables.ts'
import { lockSurvivor } from '../../entities/entities.ts'
import { LOST, WON } from '../../pipelines/pipelines.ts'
import { notConnected } from '../channels/connections.ts'
import { lockConversation } from '../messages/message-queries.ts'
import { type ChatSubject, changeConversation } from '../messages/messages.ts'
import { isUuid } from '../scopes/channel-queries.ts'
import type { ChatCaller } from '../scopes/chat-caller.ts'
import {
  type Correspondent,
  completeContact,
  findOrAddContact,
  linkContact,
  openLead,
  reachNames,
} from './contact-matching.ts'
import {
  type ConversationName,
  findConversation,
  findSurroundings,
  insertConversation,
  insertTalk,
  lockKnown,
  lockNamedConversation,
  moveToRecord,
  type Surroundings,
  updateTalk,
} from './conversation-queries.ts'
import { findSenders, hasNewReach, reachOf, type SenderDraft, saveSender } from './senders.ts'

export { findConversation } from './conversation-queries.ts'

export type { SenderDraft } from './senders.ts'

export interface ConversationDraft {
  external_id: string
  /** Our id for it: the live service's clients name a chat by that, whatever they call it themselves. */
  ref_id?: string | null
  /** Who is on the other side. */
  sender: SenderDraft
  source_external_id?: string | null
  /** History that is brought along: it opens no lead. */
  is_silent?: boolean
  /** The sender stands for a member of the account, who is no customer: there is no contact and no lead yet (C14). */
  is_member?: boolean
}

/** What is there of a conversation, which is locked, or whose name is held where there is none yet. */
export interface HeldConversation {
  conversation: ConversationRow | undefined
  sender: ChatSenderRow | null
  /** The message of the name that was asked for. */
  message: { id: string; conversation_id: string; body_hash: Buffer | null } | null
  has_open_talk: boolean
  /** They are not in the trash. */
  has_contact: boolean
  has_lead: boolean
  /** Whether the bot has something to listen for. */
  has_intents: boolean
}

/**
 * Finds the conversation by the channel's id for it, or opens it with its sender, contact, lead and talk (C6); locked. A
 * closed talk is opened anew. Two that open one at the same time wait for each other.
 */
export async function openConversation(
  ctx: Context,
  tx: Tx,
  caller: ChatCaller,
  draft: ConversationDraft,
): Promise<ConversationRow> {
  await lockItsRecords(tx, caller, draft)
  const held = await holdConversation(tx, caller, draft)
  return (await settleConversation(ctx, tx, caller, draft, held)).conversation
}

/**
 * Locks the contact and the lead of a conversation. Comes before the conversation is locked: a merge, which has the
 * records first, wants their conversations.
 */
export async function lockItsRecords(
  tx: Tx,
  { account, channel }: ChatCaller,
  { external_id }: ConversationDraft,
): Promise<void> {
  const known = await findConversation(tx, account.id, channel.id, external_id)
  if (!known) return
  await lockSurvivor(tx, account.id, 'contacts', known.contact_id)
  if (known.lead_id !== null) await lockSurvivor(tx, account.id, 'leads', known.lead_id)
}

/** Whether its contact or its lead will be written, and have to be locked first. */
export function needsRecords(draft: ConversationDraft, held: HeldConversation): boolean {
  const { conversation, sender } = held
  if (!conversation) return false
  const isOwn = sender !== null && sender.id === conversation.sender_id
  return !goesOn(draft, held) || (isOwn && hasNewReach(draft.sender, sender))
}

/** Whether its talk, its contact and its lead stay as they are. */
const goesOn = (
  { is_silent }: ConversationDraft,
  { conversation, has_open_talk, has_contact }: HeldConversation,
): boolean => has_open_talk && has_contact && (conversation?.lead_id !== null || is_silent === true)

/** Locks what is there, and keeps others from opening what is not. Looks for a message of this name besides. */
export async function holdConversation(
  tx: Tx,
  { account, channel }: ChatCaller,
  { external_id, ref_id, sender }: ConversationDraft,
  msgid = '',
): Promise<HeldConversation> {
  const name: ConversationName = { account_id: account.id, channel_id: channel.id, external_id }
  const told = { msgid, sender: sender.external_id }
  const known = ref_id ? undefined : await lockKnown(tx, { ...name, ...told })
  if (known) return heldOf(name, sender, known.conversation, known.found)
  const referred = ref_id ? await lockReferred(tx, name, ref_id) : undefined
  const conversation =
    referred ?? (await lockNamedConversation(tx, name)) ?? (await holdName(tx, name, sender))
  const found = await findSurroundings(tx, {
    account_id: account.id,
    channel_id: channel.id,
    ...told,
    talk_id: conversation?.talk_id ?? 0,
    contact_id: conversation?.contact_id ?? 0,
    lead_id: conversation?.lead_id ?? 0,
  })
  if (!found) throw notConnected()
  return heldOf(name, sender, conversation, found)
}

function heldOf(
  { account_id, channel_id }: ConversationName,
  { external_id }: SenderDraft,
  conversation: ConversationRow | undefined,
  found: Surroundings,
): HeldConversation {
  const { message_id, message_conversation_id, message_hash } = found
  return {
    conversation,
    sender:
      found.known_id === null
        ? null
        : {
            ...{ account_id, channel_id, external_id, id: found.known_id },
            ref_id: found.known_ref_id,
            name: found.known_name as string,
            avatar: found.known_avatar,
            profile_link: found.known_profile_link,
            phone: found.known_phone,
            email: found.known_email,
            created_at: found.known_created_at as number,
            updated_at: found.known_updated_at as number,
          },
    message:
      message_id === null
        ? null
        : {
            id: message_id,
            conversation_id: message_conversation_id as string,
            body_hash: message_hash,
          },
    has_open_talk: conversation !== undefined && found.talk_closed_at === null,
    has_contact: found.has_contact,
    has_lead: found.has_lead,
    has_intents: found.has_intents,
  }
}

/** Undefined where there is none of this id in the channel. */
async function lockReferred(
  tx: Tx,
  { account_id, channel_id }: ConversationName,
  id: string,
): Promise<ConversationRow | undefined> {
  const conversation = isUuid(id) ? await lockConversation(tx, account_id, id) : undefined
  return conversation?.channel_id === channel_id ? conversation : undefined
}

async function holdName(
  tx: Tx,
  name: ConversationName,
  sender: SenderDraft,
): Promise<ConversationRow | undefined> {
  const { account_id, channel_id, external_id } = name
  const names = [
    `chat ${account_id} ${channel_id} ${external_id}`,
    ...reachNames(account_id, reachOf(sender)),
  ]
  await lockNames(tx, names)
  return lockNamedConversation(tx, name)
}

/**
 * Has what was held go on, or begin: its sender as he is told of now, its contact, its lead and its talk. Answers besides
 * what its events are about, where that was seen and stays.
 */
export async function settleConversation(
  ctx: Context,
  tx: Tx,
  caller: ChatCaller,
  draft: ConversationDraft,
  held: HeldConversation,
): Promise<{ conversation: ConversationRow; sender: ChatSenderRow; about?: ChatSubject }> {
  const sender = await saveSender(ctx, tx, caller, draft.sender, held.sender)
  const { conversation } = held
  if (!conversation) return { sender, conversation: await open(ctx, tx, caller, draft, sender) }
  if (draft.is_member) return { sender, conversation }
  await takePlace(ctx, tx, conversation, sender)
  if (!goesOn(draft, held)) {
    await resume(ctx, tx, caller, draft, { ...held, conversation, sender })
    return { conversation, sender }
  }
  const { account_id, contact_id, lead_id } = conversation
  if (needsRecords(draft, held)) {
    const contact = await lockSurvivor(tx, account_id, 'contacts', contact_id)
    if (contact) await completeContact(ctx, tx, caller, contact, reachOf(sender))
  }
  const about: ChatSubject =
    held.has_lead && lead_id !== null
      ? { entity_type: 'lead', entity_id: lead_id, talk_contact_id: contact_id }
      : { entity_type: 'contact', entity_id: contact_id }
  return { conversation, sender, about }
}

/** The first person of the other side takes the place of the member for whom a conversation was created (C14). */
async function takePlace(
  ctx: Context,
  tx: Tx,
  conversation: ConversationRow,
  { id }: ChatSenderRow,
): Promise<void> {
  const { account_id, sender_id, last_position } = conversation
  if (sender_id === id || last_position > 0) return
  const present = (await findSenders(tx, account_id, [sender_id])).get(sender_id)
  if (present && isMemberSender(present)) await changeConversation(ctx, tx, conversation, { sender_id: id })
}

/** Who stands for a member has the amojo_id as both names. */
export const isMemberSender = ({ external_id, ref_id }: ChatSenderRow): boolean => external_id === ref_id

async function open(
  ctx: Context,
  tx: Tx,
  caller: ChatCaller,
  { external_id, source_external_id = null, is_silent, is_member }: ConversationDraft,
  sender: ChatSenderRow,
): Promise<ConversationRow> {
  const contact = is_member ? null : await findOrAddContact(ctx, tx, caller, correspondent(sender))
  const lead_id = is_silent || !contact ? null : await openLead(ctx, tx, caller, contact)
  const now = ctx.now()
  const conversation: ConversationRow = {
    account_id: caller.account.id,
    id: randomUUID(),
    channel_id: caller.channel.id,
    external_id,
    sender_id: sender.id,
    source_external_id,
    talk_id: 0,
    contact_id: contact?.id ?? 0,
    lead_id,
    is_in_work: 1,
    unread_count: 0,
    last_position: 0,
    last_message_id: null,
    last_message_at: now,
    typing_until: null,
    version: 1,
    changed_at: now,
    created_at: now,
  }
  conversation.talk_id = await openTalk(ctx, tx, conversation, conversation.contact_id, lead_id)
  await insertConversation(tx, conversation)
  return conversation
}

/**
 * Has a conversation go on whose talk was closed, whose contact went, or that has no lead yet. A contact in the trash is
 * not written to any more: another one takes its place. A closed talk is followed by one on the same lead, while that
 * stands and is neither won nor lost.
 */
async function resume(
  ctx: Context,
  tx: Tx,
  caller: ChatCaller,
  { is_silent }: ConversationDraft,
  {
    conversation,
    sender,
    has_open_talk,
  }: HeldConversation & {
    conversation: ConversationRow
    sender: ChatSenderRow
  },
): Promise<void> {
  const { account_id, talk_id, contact_id } = conversation
  const own = await lockSurvivor(tx, account_id, 'contacts', contact_id)
  if (!own) await lockNames(tx, reachNames(account_id, reachOf(sender)))
  const contact = own ?? (await findOrAddContact(ctx, tx, caller, correspondent(sender)))
  const isAnother = contact.id !== contact_id
  const hasTalk = has_open_talk && !isAnother
  const kept = hasTalk ? conversation.lead_id : await openLeadOf(tx, conversation)
  if (kept !== null && isAnother) await linkContact(ctx, tx, caller, kept, contact)
  const lead_id = kept ?? (is_silent ? null : await openLead(ctx, tx, caller, contact))
  if (!hasTalk) return beginTalk(ctx, tx, conversation, { contact_id: contact.id, lead_id }, has_open_talk)
  await updateTalk(tx, { account_id, id: talk_id, lead_id, updated_at: ctx.now() })
  await changeConversation(ctx, tx, conversation, { lead_id, is_in_work: 1 })
}

/** Has a locked conversation go on with these records, in a new talk; the one before is closed. */
export async function beginTalk(
  ctx: Context,
  tx: Tx,
  conversation: ConversationRow,
  { contact_id, lead_id }: Pick<ConversationRow, 'contact_id' | 'lead_id'>,
  has_open_talk: boolean,
): Promise<void> {
  const { account_id, talk_id: id } = conversation
  const now = ctx.now()
  if (has_open_talk) await updateTalk(tx, { account_id, id, updated_at: now, closed_at: now })
  const talk_id = await openTalk(ctx, tx, conversation, contact_id, lead_id)
  await changeConversation(ctx, tx, conversation, { talk_id, contact_id, lead_id, is_in_work: 1 })
}

/** The lead of a conversation while it can be gone on with, locked; null when it went or was closed. */
export async function openLeadOf(tx: Tx, { account_id, lead_id }: ConversationRow): Promise<number | null> {
  const lead = lead_id === null ? undefined : await lockSurvivor(tx, account_id, 'leads', lead_id)
  return lead && lead.status_id !== WON && lead.status_id !== LOST ? lead.id : null
}

async function openTalk(
  ctx: Context,
  tx: Tx,
  { account_id, id: conversation_id }: ConversationRow,
  contact_id: EntityRow['id'],
  lead_id: number | null,
): Promise<number> {
  const now = ctx.now()
  const id = await nextId(tx, 'talks')
  const times = { created_at: now, updated_at: now, closed_at: null }
  await insertTalk(tx, { account_id, id, conversation_id, contact_id, lead_id, ...times })
  return id
}

const correspondent = (sender: ChatSenderRow): Correspondent => ({
  external_id: sender.external_id,
  name: sender.name,
  ...reachOf(sender),
})

/** Conversations and their talks follow a contact or a lead into the record that it becomes part of. */
export const moveConversations =
  (ctx: Context) =>
  (tx: Tx, account_id: number, from_ids: readonly number[], to: number): Promise<void> =>
    moveToRecord(tx, account_id, from_ids, to, ctx.now())
