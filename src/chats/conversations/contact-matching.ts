import { type Actor, areChatsUnsorted, findMembers } from '../../accounts/accounts.ts'
import type { Context } from '../../context.ts'
import {
  findFields,
  parseStored,
  phoneKey,
  storedValuesOf,
  textKey,
} from '../../custom-fields/custom-fields.ts'
import type { Tx } from '../../db/database.ts'
import type { ChatSenderRow, ConversationRow, EntityRow } from '../../db/tables.ts'
import {
  addInside,
  beginWrite,
  type ContactDetails,
  detailKeys,
  editInside,
  findContactsByDetails,
  lockSurvivor,
} from '../../entities/entities.ts'
import { type ChatText, enterChat, type IncomingChat } from '../../incoming-leads/incoming-leads.ts'
import { findStages } from '../../pipelines/pipelines.ts'
import type { ChatCaller } from '../scopes/chat-caller.ts'
import type { ChatSource } from '../scopes/sources.ts'
import { findFirstAdministrator } from './participant-queries.ts'
import { detailsOf } from './senders.ts'

/** Characters in the name of a contact. */
const LONGEST_NAME = 255

/** The channel adds the records of a conversation, with the rights of an administrator and no user. */
function channelAsActor({ account, channel, cause }: ChatCaller): Actor {
  return {
    account_id: account.id,
    subdomain: account.subdomain,
    user_id: cause.user_id,
    member_epoch: 0,
    lang: 'en',
    is_admin: true,
    is_free: false,
    group_id: 0,
    rights: {} as Actor['rights'],
    paid_until: null,
    integration: { id: channel.id, number: channel.integration_number, grant_id: '', scopes: [] },
    request_id: cause.request_id,
    address: '',
  }
}

/**
 * The contact of a new conversation, locked: the only one with the sender's phone or e-mail, else a new one (C6). The
 * caller holds the locks of detailNames.
 */
export async function findOrAddContact(
  ctx: Context,
  tx: Tx,
  caller: ChatCaller,
  sender: ChatSenderRow,
  waits: boolean,
): Promise<EntityRow> {
  const details = detailsOf(sender)
  const [id, ...others] = await findContactsByDetails(tx, caller.account.id, details)
  const found =
    id === undefined || others.length > 0
      ? undefined
      : await lockSurvivor(tx, caller.account.id, 'contacts', id)
  if (!found) return addContact(ctx, tx, caller, sender, waits)
  await completeContact(ctx, tx, caller, found, details)
  return found
}

/** Names to lock, so that two new conversations with the same phone or e-mail do not add two contacts. */
export const detailNames = (account_id: number, details: ContactDetails): string[] =>
  Object.entries(detailKeys(details)).flatMap(([code, key]) =>
    key === null ? [] : [`chat ${code} ${account_id} ${key}`],
  )

async function addContact(
  ctx: Context,
  tx: Tx,
  caller: ChatCaller,
  sender: ChatSenderRow,
  waits: boolean,
): Promise<EntityRow> {
  const { phone, email } = detailsOf(sender)
  const { byCode } = await findFields(tx, caller.account.id, 'contacts')
  const values = Object.entries({ PHONE: phone, EMAIL: email }).flatMap(([field_code, value]) =>
    value !== null && byCode.has(field_code) ? [{ field_code, values: [{ value }] }] : [],
  )
  const draft = {
    name: cut(sender.name.trim() || phone || email || sender.external_id),
    responsible_user_id: await responsibleFor(tx, caller, undefined),
    custom_fields_values: values,
  }
  const write = await beginWrite(ctx, tx, channelAsActor(caller))
  const [row] = await addInside(write, 'contacts', [draft], { isIncoming: () => waits })
  return row as EntityRow
}

/** Adds the phone and the e-mail to a locked contact, unless it has them already. */
export async function completeContact(
  ctx: Context,
  tx: Tx,
  caller: ChatCaller,
  { account_id, id }: EntityRow,
  details: ContactDetails,
): Promise<void> {
  const { phone, email } = details
  if (phone === null && email === null) return
  const keys = detailKeys(details)
  const { byCode } = await findFields(tx, account_id, 'contacts')
  const stored = (await storedValuesOf(tx, account_id, [id])).get(id) ?? parseStored(null)
  const missing = (['PHONE', 'EMAIL'] as const).flatMap((code) => {
    const field = byCode.get(code)
    const value = code === 'PHONE' ? phone : email
    if (!field || value === null) return []
    const before = (stored[field.id] ?? []) as (readonly [text: string, label: number])[]
    const key = keys[code] ?? textKey(value)
    const has = before.some(([text]) => (phoneKey(text) ?? textKey(text)) === key)
    if (has || before.length >= MOST_VALUES) return []
    // A value whose label was deleted is shown with the last label, and is written back with it.
    const labelOf = (label: number) => (field.enumsById.has(label) ? label : field.enums.at(-1)?.id)
    const kept = before.map(([text, label]) => ({ value: text, enum_id: labelOf(label) }))
    return [{ field_id: field.id, values: [...kept, { value }] }]
  })
  if (missing.length === 0) return
  const write = await beginWrite(ctx, tx, channelAsActor(caller))
  await editInside(write, 'contacts', [{ id, custom_fields_values: missing }], 'path')
}

/** Values in a phone or e-mail field. */
const MOST_VALUES = 100

/**
 * Adds a lead of the contact to the pipeline of the source, otherwise to the main one: to its first stage, or to the
 * incoming stage if it waits.
 */
export async function openLead(
  ctx: Context,
  tx: Tx,
  caller: ChatCaller,
  contact: EntityRow,
  { source, waiting }: { source: ChatSource | undefined; waiting: IncomingChat | null },
): Promise<number> {
  const write = await beginWrite(ctx, tx, channelAsActor(caller))
  const draft = {
    responsible_user_id: await responsibleFor(tx, caller, contact),
    _embedded: { contacts: [{ id: contact.id, is_main: true }] },
  }
  const isIncoming = () => waiting !== null
  const options = { isIncoming, sourceOf: () => source }
  const [lead] = (await addInside(write, 'leads', [draft], options)) as [EntityRow]
  if (waiting) await enterChat(ctx, tx, caller.cause, lead, waiting)
  return lead.id
}

/** Whether the leads of new chats wait: the account says so, and their pipeline has an incoming stage (I9). */
export async function newChatsWait(
  tx: Tx,
  { account }: ChatCaller,
  source: ChatSource | undefined,
): Promise<boolean> {
  if (!(await areChatsUnsorted(tx, account.id))) return false
  const stages = await findStages(tx, account.id)
  return stages.unsorted(source?.pipeline_id ?? stages.main) !== undefined
}

/** A conversation as its incoming lead shows it. */
export const incomingChat = (
  { channel }: ChatCaller,
  { id, external_id }: Pick<ConversationRow, 'id' | 'external_id'>,
  { id: sender_id, name, avatar }: ChatSenderRow,
  message: ChatText | undefined,
): IncomingChat => ({ chat_id: id, channel, external_id, client: { id: sender_id, name, avatar }, message })

/** Makes a contact the main contact of a lead, after its previous contact was moved to the trash. */
export async function linkContact(
  ctx: Context,
  tx: Tx,
  caller: ChatCaller,
  lead_id: number,
  contact: EntityRow,
): Promise<void> {
  const write = await beginWrite(ctx, tx, channelAsActor(caller))
  const patch = { id: lead_id, _embedded: { contacts: [{ id: contact.id, is_main: true }] } }
  await editInside(write, 'leads', [patch], 'path')
}

/**
 * The user responsible for a new record: the one of the contact, else the one who registered the channel, else the first
 * administrator. Users who are not active members are skipped.
 */
async function responsibleFor(
  tx: Tx,
  { account, channel }: ChatCaller,
  contact: EntityRow | undefined,
): Promise<number> {
  const members = await findMembers(tx, account.id)
  const wanted = [contact?.responsible_user_id, channel.created_by]
  const found = wanted.find((id) => id !== undefined && members.get(id)?.is_active)
  return found ?? (await findFirstAdministrator(tx, account.id)).user_id
}

/** Shortens a name that is too long, and never splits a surrogate pair. */
function cut(name: string): string {
  const text = name.slice(0, LONGEST_NAME)
  return text.isWellFormed() ? text : text.slice(0, -1)
}
