import { randomUUID } from 'node:crypto'
import type { Context } from '../../context.ts'
import type { Tx } from '../../db/database.ts'
import { lockNames } from '../../db/dialect.ts'
import type { ChatSenderRow, ConversationRow } from '../../db/tables.ts'
import { lockSurvivor } from '../../entities/entities.ts'
import type { ChatText } from '../../incoming-leads/incoming-leads.ts'
import type { ChatCaller } from '../scopes/chat-caller.ts'
import { notConnected } from '../scopes/scopes.ts'
import type { ChatSource } from '../scopes/sources.ts'
import {
  completeContact,
  detailNames,
  findOrAddContact,
  incomingChat,
  newChatsWait,
  openLead,
} from './contact-matching.ts'
import { type ChatSubject, changeConversation, subjectFor } from './conversation-changes.ts'
import { insertConversation, lockConversation } from './conversation-queries.ts'
import { findSenders } from './participant-queries.ts'
import { detailsOf, isMemberSender, type SenderDraft, saveSender } from './senders.ts'
import { type ConversationState, findState, lockActive, type StateQuery } from './state-queries.ts'
import { openTalk, reopenConversation } from './talk-changes.ts'

/** A conversation as the provider describes it. */
export interface ConversationDraft {
  external_id: string
  sender: SenderDraft
  source_external_id?: string | null
  /** Finds the source of a new lead by the name that the conversation has for it. */
  findSource?: (external_id: string | null) => Promise<ChatSource | undefined>
  /** The message that the conversation is opened for. */
  message?: ChatText
  /** Imported history: it opens no lead. */
  is_silent?: boolean
  /** Whether the message makes the conversation unread. */
  is_unread?: boolean
  /** The chat is created before its first message: there is no contact and no lead yet (C14). */
  is_empty?: boolean
}

/**
 * Locks the conversation of a push, or its name if it does not exist yet, and reads the rows that the push refers to
 * (C6). `msgid` is the provider's id of a message to look for. If the contact or the lead has to be written, or the lead
 * is an incoming one that can be sorted meanwhile, they are locked before the conversation: a merge locks records first and
 * then their conversations. Names are locked before records, also those of a sender who can need another contact.
 */
export async function resolveConversation(
  tx: Tx,
  caller: ChatCaller,
  draft: ConversationDraft,
  msgid = '',
): Promise<ConversationState> {
  const query = stateQuery(caller, draft, msgid)
  const active = await lockActive(tx, query)
  if (active) return active
  const { sender } = await readState(tx, query)
  await lockNames(tx, namesOf(query, [draft.sender, sender ?? draft.sender]))
  // Another push may have opened the conversation while this one waited for its name.
  const state = await readState(tx, query)
  if (!state.conversation) return state
  return (await lockActive(tx, query)) ?? (await lockWithRecords(tx, query, state.conversation))
}

const stateQuery = (
  { account, channel }: ChatCaller,
  { external_id, sender, is_silent, is_empty }: ConversationDraft,
  msgid: string,
): StateQuery => ({
  account_id: account.id,
  channel_id: channel.id,
  external_id,
  sender: sender.external_id,
  phone: sender.phone?.trim() ? sender.phone : null,
  email: sender.email?.trim() ? sender.email : null,
  msgid,
  opens_lead: is_silent || is_empty ? 0 : 1,
})

async function readState(tx: Tx, query: StateQuery): Promise<ConversationState> {
  const state = await findState(tx, query)
  if (!state) throw notConnected()
  return state
}

const namesOf = (
  { account_id, channel_id, external_id }: StateQuery,
  senders: (SenderDraft | ChatSenderRow)[],
): string[] => [
  `chat ${account_id} ${channel_id} ${external_id}`,
  ...senders.flatMap((sender) => detailNames(account_id, detailsOf(sender))),
]

async function lockWithRecords(
  tx: Tx,
  query: StateQuery,
  { account_id, id, contact_id, lead_id }: ConversationRow,
): Promise<ConversationState> {
  await lockSurvivor(tx, account_id, 'contacts', contact_id)
  if (lead_id !== null) await lockSurvivor(tx, account_id, 'leads', lead_id)
  await lockConversation(tx, account_id, id)
  return readState(tx, query)
}

/** A conversation that takes messages. */
export interface OpenConversation {
  conversation: ConversationRow
  sender: ChatSenderRow
  /** The subject of its events, if it is known already. */
  subject?: ChatSubject
}

/**
 * Saves the sender and opens the conversation if it is new, or reopens it if its talk is closed, its contact is in the
 * trash or its lead is missing and the draft has a message. `state` comes from resolveConversation in the same transaction.
 */
export async function ensureConversation(
  ctx: Context,
  tx: Tx,
  caller: ChatCaller,
  draft: ConversationDraft,
  state: ConversationState,
): Promise<OpenConversation> {
  const sender = await saveSender(ctx, tx, caller, draft.sender, state.sender)
  const { conversation } = state
  if (!conversation) return { sender, conversation: await createConversation(ctx, tx, caller, draft, sender) }
  if (!isMemberSender(sender)) await replaceMember(ctx, tx, conversation, sender)
  await changeSource(ctx, tx, conversation, draft)
  if (!state.is_active) {
    if (!draft.is_empty) await reopenConversation(ctx, tx, caller, conversation, sender, draft)
    return { sender, conversation }
  }
  const { account_id, contact_id, lead_id } = conversation
  if (state.has_new_details) {
    const contact = await lockSurvivor(tx, account_id, 'contacts', contact_id)
    if (contact) await completeContact(ctx, tx, caller, contact, detailsOf(sender))
  }
  const subject = subjectFor(contact_id, state.has_lead ? lead_id : null)
  return { conversation, sender, subject }
}

/** The first customer who writes takes the place of the member that the conversation was created for (C14). */
async function replaceMember(
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

/** The latest source that the provider named stays. */
async function changeSource(
  ctx: Context,
  tx: Tx,
  conversation: ConversationRow,
  { source_external_id }: ConversationDraft,
): Promise<void> {
  if (source_external_id && source_external_id !== conversation.source_external_id)
    await changeConversation(ctx, tx, conversation, { source_external_id })
}

async function createConversation(
  ctx: Context,
  tx: Tx,
  caller: ChatCaller,
  {
    external_id,
    source_external_id = null,
    is_silent,
    is_unread,
    is_empty,
    message,
    findSource,
  }: ConversationDraft,
  sender: ChatSenderRow,
): Promise<ConversationRow> {
  const id = randomUUID()
  const opensLead = !is_silent && !is_empty
  const source = opensLead ? await findSource?.(source_external_id) : undefined
  const waits = opensLead && (await newChatsWait(tx, caller, source))
  const contact = is_empty ? null : await findOrAddContact(ctx, tx, caller, sender, waits)
  const waiting = waits ? incomingChat(caller, { id, external_id }, sender, message) : null
  const lead_id = opensLead && contact ? await openLead(ctx, tx, caller, contact, { source, waiting }) : null
  const now = ctx.now()
  const conversation: ConversationRow = {
    account_id: caller.account.id,
    id,
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
    bot_stopped_talk_id: null,
    version: 1,
    changed_at: now,
    created_at: now,
  }
  conversation.talk_id = await openTalk(ctx, tx, caller.cause, conversation, { ...conversation, is_unread })
  await insertConversation(tx, conversation)
  return conversation
}
