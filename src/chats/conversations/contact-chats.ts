import { type Actor, requireAdmin, requirePaid } from '../../accounts/accounts.ts'
import type { Context } from '../../context.ts'
import type { Tx } from '../../db/database.ts'
import type { ConversationRow, EntityRow } from '../../db/tables.ts'
import {
  beginWrite,
  editInside,
  loadAccess,
  lockSurvivor,
  newestOpenRecords,
} from '../../entities/entities.ts'
import { type Fault, type FaultCode, invalid, noSuch, Refusal } from '../../errors.ts'
import { listOf, type QueryValue } from '../../http/queries/bracket-query.ts'
import { isUuid } from '../scopes/channel-queries.ts'
import { ConversationChanged, retryOnConflict } from './conflicts.ts'
import type { ContactChats, NewContactChats } from './contact-chat-schemas.ts'
import { conversationsOfContacts, findConversations, lockConversation } from './conversation-queries.ts'
import { openLeadOf, startTalk } from './talk-changes.ts'

/** Ids in one request. */
const MOST_IDS = 250
/** Chats in one response. */
const MOST_CHATS = 1_000

type Named = NewContactChats[number]

/**
 * The chats of some contacts, or some chats by their ids, each with its contact (C13). Throws Refusal('invalid')
 * unless exactly one of the two filters is given.
 */
export async function listContactChats(
  ctx: Context,
  actor: Actor,
  asked: { contact_id?: unknown; chat_id?: unknown },
): Promise<ContactChats> {
  requirePaid(ctx, actor)
  requireAdmin(actor)
  const contacts = idsOf('contact_id', asked.contact_id, (id) => /^\d{1,15}$/.test(id))
  const chats = idsOf('chat_id', asked.chat_id, (id) => isUuid(id.toLowerCase()))
  if (contacts.length > 0 && chats.length > 0)
    throw invalid('chat_id', 'TooMany', 'Ask by contact_id or by chat_id, not by both.')
  if (contacts.length === 0 && chats.length === 0)
    throw invalid('contact_id', 'FieldMissing', 'Ask by contact_id or by chat_id.')
  const { account_id } = actor
  const rows =
    contacts.length > 0
      ? await conversationsOfContacts(ctx.db, account_id, contacts.map(Number), MOST_CHATS)
      : await findConversations(
          ctx.db,
          account_id,
          chats.map((id) => id.toLowerCase()),
        )
  return shown(rows, (_row, i) => String(i))
}

function idsOf(name: string, value: unknown, isId: (text: string) => boolean): string[] {
  const ids = [...new Set(listOf(value as QueryValue | undefined))]
  if (ids.length > MOST_IDS) throw invalid(name, 'TooMany', `At most ${MOST_IDS} ids are taken at once.`)
  const wrong = ids.find((id) => !isId(id))
  if (wrong !== undefined) throw invalid(name, 'InvalidFormat', `"${wrong.slice(0, 64)}" is not an id.`)
  return ids
}

/**
 * Moves each chat to its contact, all or none; a chat that belongs to it already stays as it is (C13). Throws
 * Refusal('invalid') naming each contact and chat that the account does not have.
 */
export async function linkChats(ctx: Context, actor: Actor, named: NewContactChats): Promise<ContactChats> {
  requireAdmin(actor)
  const rows = await retryOnConflict(() =>
    ctx.db.transaction().execute(async (tx) => {
      const contacts = await lockContacts(tx, actor, named)
      const leads = await newestOpenLeads(tx, actor, [...contacts.keys()])
      const chats = await lockChats(tx, actor, named, [...leads.values()])
      const faults = named.flatMap((one, i) => faultsOf(one, i, contacts, chats))
      if (faults.length > 0) throw new Refusal('invalid', 'Request validation failed', { faults })
      for (const { contact_id, chat_id } of named) {
        const chat = chats.get(chat_id.toLowerCase()) as ConversationRow
        const contact = contacts.get(contact_id) as EntityRow
        await moveChat(ctx, tx, actor, chat, contact, leads.get(contact.id) ?? null)
      }
      return named.map(({ chat_id }) => chats.get(chat_id.toLowerCase()) as ConversationRow)
    }),
  )
  return shown(rows, (_row, i) => named[i]?.request_id ?? String(i))
}

/** Records are locked before conversations, in the order of their ids, like everywhere else. */
async function lockContacts(
  tx: Tx,
  { account_id }: Actor,
  named: NewContactChats,
): Promise<Map<number, EntityRow>> {
  const contacts = new Map<number, EntityRow>()
  for (const id of [...new Set(named.map(({ contact_id }) => contact_id))].sort((a, b) => a - b)) {
    const row = await lockSurvivor(tx, account_id, 'contacts', id)
    if (row) contacts.set(id, row)
  }
  return contacts
}

/** By contact. */
async function newestOpenLeads(
  tx: Tx,
  actor: Actor,
  contact_ids: readonly number[],
): Promise<Map<number, number>> {
  const access = await loadAccess(tx, actor)
  const rows = await newestOpenRecords(tx, access, 'edit', contact_ids).execute()
  return new Map(rows.flatMap(({ id, lead_id }) => (lead_id === null ? [] : [[id, lead_id]])))
}

/** Locks the leads of the chats and those that they may get, and then the chats. */
async function lockChats(
  tx: Tx,
  { account_id }: Actor,
  named: NewContactChats,
  further: readonly number[],
): Promise<Map<string, ConversationRow>> {
  const ids = [...new Set(named.map(({ chat_id }) => chat_id.toLowerCase()))].filter(isUuid).sort()
  const known = await findConversations(tx, account_id, ids)
  const leads = [...new Set([...known.flatMap(({ lead_id }) => lead_id ?? []), ...further])].sort(
    (a, b) => a - b,
  )
  for (const id of leads) await lockSurvivor(tx, account_id, 'leads', id)
  const chats = new Map<string, ConversationRow>()
  for (const id of ids) {
    const row = await lockConversation(tx, account_id, id)
    if (row?.lead_id != null && !leads.includes(row.lead_id)) throw new ConversationChanged()
    if (row) chats.set(id, row)
  }
  return chats
}

function faultsOf(
  { contact_id, chat_id, request_id = '' }: Named,
  i: number,
  contacts: ReadonlyMap<number, EntityRow>,
  chats: ReadonlyMap<string, ConversationRow>,
): Fault[] {
  const fault = (path: string, name: string): Fault => ({
    request_id: String(request_id === '' ? i : request_id),
    code: 'NotSupportedChoice' satisfies FaultCode,
    path,
    detail: noSuch(name),
  })
  return [
    ...(contacts.has(contact_id) ? [] : [fault('contact_id', 'contact')]),
    ...(chats.has(chat_id.toLowerCase()) ? [] : [fault('chat_id', 'chat')]),
  ]
}

/** The lead of the chat goes with it while it is open. Otherwise the chat gets the open lead of the contact. */
async function moveChat(
  ctx: Context,
  tx: Tx,
  actor: Actor,
  chat: ConversationRow,
  contact: EntityRow,
  lead_of_contact: number | null,
): Promise<void> {
  if (chat.contact_id === contact.id) return
  const own = await openLeadOf(tx, chat)
  if (own) {
    const write = await beginWrite(ctx, tx, actor)
    const patch = { id: own.id, _embedded: { contacts: [{ id: contact.id, is_main: true }] } }
    await editInside(write, 'leads', [patch], 'path')
  }
  const lead = own ?? (await openLeadOf(tx, { account_id: chat.account_id, lead_id: lead_of_contact }))
  await startTalk(ctx, tx, actor, chat, { contact_id: contact.id, lead_id: lead?.id ?? null })
}

const shown = (
  rows: readonly ConversationRow[],
  requestIdOf: (row: ConversationRow, i: number) => string | number,
): ContactChats => ({
  _total_items: rows.length,
  _embedded: {
    chats: rows.map((row, i) => ({
      chat_id: row.id,
      contact_id: row.contact_id,
      id: row.talk_id,
      request_id: requestIdOf(row, i),
    })),
  },
})
