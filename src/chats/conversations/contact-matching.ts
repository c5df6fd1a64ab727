import { type Actor, findMembers } from '../../accounts/accounts.ts'
import type { Context } from '../../context.ts'
import {
  findFields,
  parseStored,
  phoneKey,
  storedValuesOf,
  textKey,
} from '../../custom-fields/custom-fields.ts'
import type { Tx } from '../../db/database.ts'
import type { EntityRow } from '../../db/tables.ts'
import {
  addInside,
  type ContactDetails,
  detailKeys,
  editInside,
  findContactsByDetails,
  loadAccess,
  lockSurvivor,
} from '../../entities/entities.ts'
import type { ChatCaller } from '../scopes/chat-caller.ts'
import { findFirstAdministrator } from './conversation-queries.ts'

/** What contacts and leads are called at most. */
const LONGEST_NAME = 255

/** Who a conversation is with. */
export interface Correspondent extends ContactDetails {
  external_id: string
  name: string
}

/** Whoever adds the records of a conversation is nobody of the account: the channel does it, and may. */
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
    integration: { id: channel.id, grant_id: '', scopes: [] },
    request_id: cause.request_id,
    address: '',
  }
}

/**
 * The contact of a new conversation, locked: the one that the telephone or the e-mail leads to, when it is one alone, else
 * a new one (C6). Whoever comes with the same telephone at once waits, see reachNames.
 */
export async function findOrAddContact(
  ctx: Context,
  tx: Tx,
  caller: ChatCaller,
  who: Correspondent,
): Promise<EntityRow> {
  const [id, ...others] = await findContactsByDetails(tx, caller.account.id, who)
  const found =
    id === undefined || others.length > 0
      ? undefined
      : await lockSurvivor(tx, caller.account.id, 'contacts', id)
  if (!found) return addContact(ctx, tx, caller, who)
  await completeContact(ctx, tx, caller, found, who)
  return found
}

/** What two conversations that would find the same contact are kept apart by, while neither has made it. */
export const reachNames = (account_id: number, reach: ContactDetails): string[] =>
  Object.entries(detailKeys(reach)).flatMap(([code, key]) =>
    key === null ? [] : [`chat ${code} ${account_id} ${key}`],
  )

async function addContact(
  ctx: Context,
  tx: Tx,
  caller: ChatCaller,
  { name, external_id, phone, email }: Correspondent,
): Promise<EntityRow> {
  const actor = channelAsActor(caller)
  const { byCode } = await findFields(tx, caller.account.id, 'contacts')
  const values = Object.entries({ PHONE: phone, EMAIL: email }).flatMap(([field_code, value]) =>
    value !== null && byCode.has(field_code) ? [{ field_code, values: [{ value }] }] : [],
  )
  const draft = {
    name: cut(name.trim() || phone || email || external_id),
    responsible_user_id: await responsibleFor(tx, caller, undefined),
    custom_fields_values: values,
  }
  const [row] = await addInside(ctx, tx, await loadAccess(tx, actor), 'contacts', [draft])
  return row as EntityRow
}

/** Adds to a contact, whose row is locked, the telephone and the e-mail that it lacks. */
export async function completeContact(
  ctx: Context,
  tx: Tx,
  caller: ChatCaller,
  { account_id, id }: EntityRow,
  reach: ContactDetails,
): Promise<void> {
  const keys = detailKeys(reach)
  if (reach.phone === null && reach.email === null) return
  const { byCode } = await findFields(tx, account_id, 'contacts')
  const stored = (await storedValuesOf(tx, account_id, [id])).get(id) ?? parseStored(null)
  const lacking = (
    [
      ['PHONE', reach.phone],
      ['EMAIL', reach.email],
    ] as const
  ).flatMap(([code, value]) => {
    const field = byCode.get(code)
    if (!field || value === null) return []
    const had = (stored[field.id] ?? []) as (readonly [text: string, label: number])[]
    const key = keys[code] ?? textKey(value)
    const has = had.some(([text]) => (phoneKey(text) ?? textKey(text)) === key)
    if (has || had.length >= MOST_VALUES) return []
    // A value whose label was deleted is shown under the last one, and is written back so.
    const labelOf = (label: number) => (field.enumsById.has(label) ? label : field.enums.at(-1)?.id)
    const kept = had.map(([text, label]) => ({ value: text, enum_id: labelOf(label) }))
    return [{ field_id: field.id, values: [...kept, { value }] }]
  })
  if (lacking.length === 0) return
  const access = await loadAccess(tx, channelAsActor(caller))
  await editInside(ctx, tx, access, 'contacts', [{ id, custom_fields_values: lacking }], 'path')
}

/** As many as a field of telephones holds. */
const MOST_VALUES = 100

/** Opens a lead of the contact, at the beginning of the main pipeline; answers its id. */
export async function openLead(
  ctx: Context,
  tx: Tx,
  caller: ChatCaller,
  contact: EntityRow,
): Promise<number> {
  const access = await loadAccess(tx, channelAsActor(caller))
  const draft = {
    responsible_user_id: await responsibleFor(tx, caller, contact),
    _embedded: { contacts: [{ id: contact.id, is_main: true }] },
  }
  const [lead] = await addInside(ctx, tx, access, 'leads', [draft])
  return (lead as EntityRow).id
}

/** Links a lead that stands to the contact that took the place of its first one. */
export async function linkContact(
  ctx: Context,
  tx: Tx,
  caller: ChatCaller,
  lead_id: number,
  contact: EntityRow,
): Promise<void> {
  const access = await loadAccess(tx, channelAsActor(caller))
  const patch = { id: lead_id, _embedded: { contacts: [{ id: contact.id, is_main: true }] } }
  await editInside(ctx, tx, access, 'leads', [patch], 'path')
}

/**
 * Who is responsible for what a conversation adds: who is it for the contact; else who registered the channel, where he
 * is a member; else the first administrator.
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

/** A name that is too long, without half a character at its end. */
function cut(name: string): string {
  const text = name.slice(0, LONGEST_NAME)
  return text.isWellFormed() ? text : text.slice(0, -1)
}
