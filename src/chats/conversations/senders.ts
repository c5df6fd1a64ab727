import { randomUUID } from 'node:crypto'
import type { Context } from '../../context.ts'
import type { Tx } from '../../db/database.ts'
import type { ChatSenderRow } from '../../db/tables.ts'
import type { ContactDetails } from '../../entities/entities.ts'
import type { ChatCaller } from '../scopes/chat-caller.ts'
import { insertSender, updateSender } from './participant-queries.ts'

/** A person in a push: a customer, or a user of the account. */
export interface PushedPerson {
  id: string
  name: string
  avatar?: string | null
  profile_link?: string | null
  /** Of a user, the amojo_id. Of a customer, the id that the live service knows. */
  ref_id?: string | null
  profile?: { phone?: number | string | null; email?: string | null } | null
}

/** A sender as the provider describes it. A missing or blank property keeps its stored value. */
export interface SenderDraft {
  external_id: string
  ref_id?: string
  name: string
  avatar?: string | null
  profile_link?: string | null
  phone?: string | null
  email?: string | null
}

/** The sender in a push. Phones are numbers in the specification and texts in the live protocol. */
export function senderOf({ id, name, ref_id, avatar, profile_link, profile }: PushedPerson): SenderDraft {
  return {
    external_id: id,
    name,
    // Only a member of the account has the same two ids.
    ...(ref_id && ref_id !== id && { ref_id }),
    avatar: avatar ?? null,
    profile_link: profile_link ?? null,
    phone: profile?.phone == null ? null : String(profile.phone),
    email: profile?.email ?? null,
  }
}

const columns = ['ref_id', 'name', 'avatar', 'profile_link', 'phone', 'email'] as const

/** Saves the sender, and returns the row. Writes nothing if nothing is new. */
export async function saveSender(
  ctx: Context,
  tx: Tx,
  { account, channel }: ChatCaller,
  draft: SenderDraft,
  stored: ChatSenderRow | null,
): Promise<ChatSenderRow> {
  const now = ctx.now()
  const before: ChatSenderRow = stored ?? {
    account_id: account.id,
    id: randomUUID(),
    channel_id: channel.id,
    external_id: draft.external_id,
    ref_id: null,
    name: '',
    avatar: null,
    profile_link: null,
    phone: null,
    email: null,
    created_at: now,
    updated_at: now,
  }
  const changed = columns.filter((name) => draft[name]?.trim() && draft[name] !== before[name])
  const change = Object.fromEntries(changed.map((name) => [name, draft[name]]))
  const sender = { ...before, ...change }
  const { account_id, id } = sender
  if (!stored) await insertSender(tx, sender)
  else if (changed.length > 0) await updateSender(tx, { ...change, account_id, id, updated_at: now })
  return sender
}

/** Phone and e-mail without surrounding spaces; null if blank. */
export const detailsOf = ({ phone, email }: SenderDraft | ChatSenderRow): ContactDetails => ({
  phone: phone?.trim() || null,
  email: email?.trim() || null,
})

/** A sender who stands for a member has the amojo_id as both ids. */
export const isMemberSender = ({ external_id, ref_id }: ChatSenderRow): boolean => external_id === ref_id
