import type { Actor } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import type { Tx } from '../db/database.ts'
import type { IncomingLeadRow } from '../db/tables.ts'
import {
  type Access,
  beginWrite,
  discardInside,
  editInside,
  findEntities,
  hiddenBeside,
  linkedRecords,
  type Merged,
  mergeInside,
  type RecordReference,
  type RecordWrite,
  requireNamed,
  reveal,
} from '../entities/entities.ts'
import { invalid, noSuch, Refusal } from '../errors.ts'
import { linkable } from './categories.ts'
import { lockWaiting, onBehalf } from './sort.ts'
import { recordsOf } from './view.ts'

export interface LinkDraft {
  user_id?: number | undefined
  link: {
    entity_id: number
    entity_type: 'leads' | 'customers'
    metadata?: { contact_id?: number | undefined } | undefined
  }
}

/**
 * Links an incoming chat to a lead or a customer that exists (I7). The incoming lead is merged into that lead, or its contact
 * is linked to that customer. If a contact is named, the incoming contact is merged into it.
 */
export async function linkIncoming(
  ctx: Context,
  actor: Actor,
  uid: string,
  draft: LinkDraft,
  merged: readonly Merged[],
): Promise<void> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const isLinked = await ctx.db
      .transaction()
      .execute((tx) => linkInside(ctx, tx, actor, uid, draft, merged))
    if (isLinked) return
  }
  throw beingChanged()
}

/** How often a link is retried because a concurrent request linked one of its records. */
const MAX_TRIES = 3

const beingChanged = () =>
  new Refusal('unavailable', 'These records are being changed by another request. Repeat the request.', {
    retry_after: 1,
  })

/** Returns false, before any write, if a record was linked that is not locked. */
async function linkInside(
  ctx: Context,
  tx: Tx,
  actor: Actor,
  uid: string,
  { user_id, link }: LinkDraft,
  merged: readonly Merged[],
): Promise<boolean> {
  const by = await onBehalf(tx, actor, user_id)
  const write = await beginWrite(ctx, tx, by)
  const { access } = write
  const named = namedIn(link)
  const locked = new Set<number>()
  const row = await lockWaiting(tx, access, uid, async (found) => {
    const others = await recordsBeside(tx, found, named)
    for (const { id } of others) locked.add(id)
    return others
  })
  if (!isLinkable(row))
    throw invalid('link', 'NotSupportedChoice', 'Only incoming leads of the category chats can be linked.')
  if ((await recordsBeside(tx, row, named)).some(({ id }) => !locked.has(id))) return false
  await requireTargets(tx, access, row, named)
  const contact = await takeOver(write, row, link.metadata?.contact_id, merged)
  if (link.entity_type === 'leads') {
    await merge(write, 'leads', link.entity_id, row.lead_id, merged)
    return true
  }
  const contacts = contact === undefined ? [] : [{ id: contact }]
  const patch = { id: link.entity_id, _embedded: { contacts } }
  await acceptWithoutLead(write, row)
  await editInside(write, 'customers', [patch], 'path')
  await discardInside(write, 'leads', [{ id: row.lead_id }], 'path')
  return true
}

/** Shows the people of an incoming lead that goes to the trash, and so never becomes a lead of which webhooks hear (I7). */
async function acceptWithoutLead(
  { ctx, tx, access: { actor } }: RecordWrite,
  { lead_id }: IncomingLeadRow,
): Promise<void> {
  const hidden = await hiddenBeside(tx, actor.account_id, [lead_id])
  await ctx.leadsSorted(ctx, tx, actor, [lead_id], 'accepted')
  await reveal(ctx, tx, actor, hidden)
}

const isLinkable = ({ category }: IncomingLeadRow): boolean => linkable.includes(category)

/** All records that the link can write: those that it names, and those to which the lead and its new contact are linked. */
async function recordsBeside(
  tx: Tx,
  row: IncomingLeadRow,
  named: readonly RecordReference[],
): Promise<Pick<RecordReference, 'entity_type' | 'id'>[]> {
  if (!isLinkable(row)) return []
  const { account_id, lead_id } = row
  const hidden = await hiddenBeside(tx, account_id, [lead_id])
  const contacts = hidden.filter(({ entity_type }) => entity_type === 'contacts').map(({ id }) => id)
  return [...named, ...(await linkedRecords(tx, account_id, [lead_id, ...contacts]))]
}

/** The records that the link names. */
function namedIn({ entity_id, entity_type, metadata }: LinkDraft['link']): RecordReference[] {
  const target: RecordReference = { entity_type, id: entity_id, request_id: '0', path: 'link.entity_id' }
  if (metadata?.contact_id === undefined) return [target]
  const { contact_id: id } = metadata
  return [target, { entity_type: 'contacts', id, request_id: '0', path: 'link.metadata.contact_id' }]
}

/** Refuses a lead, customer or contact that the person cannot change, and an incoming lead as the target. */
async function requireTargets(
  tx: Tx,
  access: Access,
  { lead_id }: IncomingLeadRow,
  named: readonly RecordReference[],
): Promise<void> {
  for (const reference of named) {
    const [found] = await findEntities(tx, access.actor.account_id, reference.entity_type, [reference.id])
    const rows = new Map(found ? [[found.id, found]] : [])
    requireNamed(access, 'edit', [reference], rows, 'item')
    if (reference.entity_type === 'leads' && (found?.is_unsorted === 1 || reference.id === lead_id))
      throw invalid(reference.path, 'NotSupportedChoice', noSuch('lead that was accepted'))
  }
}

/** Merges the incoming contact into the named one, and returns the contact of the chat. */
async function takeOver(
  write: RecordWrite,
  { lead_id }: IncomingLeadRow,
  contact_id: number | undefined,
  merged: readonly Merged[],
): Promise<number | undefined> {
  const { tx, access } = write
  const [own] = (await recordsOf(tx, access, [lead_id]))(lead_id).contacts
  if (contact_id === undefined || own === contact_id) return own
  const [row] = own === undefined ? [] : await findEntities(tx, access.actor.account_id, 'contacts', [own])
  if (row?.is_unsorted === 1) await merge(write, 'contacts', contact_id, row.id, merged)
  // A contact that is in the lists keeps its chats.
  else await addContact(write, lead_id, contact_id)
  return contact_id
}

const addContact = (write: RecordWrite, lead_id: number, contact_id: number) =>
  editInside(write, 'leads', [{ id: lead_id, _embedded: { contacts: [{ id: contact_id }] } }], 'path')

async function merge(
  write: RecordWrite,
  type: 'leads' | 'contacts',
  into: number,
  from: number,
  merged: readonly Merged[],
): Promise<void> {
  if (await mergeInside(write, type, { id: into, merge: [from] }, merged)) return
  throw beingChanged()
}
