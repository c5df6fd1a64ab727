import { randomUUID } from 'node:crypto'
import type { Context } from '../../context.ts'
import type { Tx } from '../../db/database.ts'
import type { ChatSenderRow } from '../../db/tables.ts'
import type { ContactDetails } from '../../entities/entities.ts'
import type { PushedPerson } from '../messages/push-schemas.ts'
import type { ChatCaller } from '../scopes/chat-caller.ts'
import { insertSender, updateSender } from './sender-queries.ts'

export { findSenders } from './sender-queries.ts'

/** What a provider tells of somebody. What it does not tell stays as it is known. */
export interface SenderDraft {
  external_id: string
  ref_id?: string
  name: string
  avatar?: string | null
  profile_link?: string | null
  phone?: string | null
  email?: string | null
}

/** A person of a push. Telephones come as numbers by the description, and as texts from the live service's clients. */
export function senderOf({ id, name, ref_id, avatar, profile_link, profile }: PushedPerson): SenderDraft {
  return {
    external_id: id,
    name,
    ...(ref_id && { ref_id }),
    avatar: avatar ?? null,
    profile_link: profile_link ?? null,
    phone: profile?.phone == null ? null : String(profile.phone),
    email: profile?.email ?? null,
  }
}

const columns = ['ref_id', 'name', 'avatar', 'profile_link', 'phone', 'email'] as const

/** What is told of somebody that is not known of him. */
function newsOf(draft: SenderDraft, known: ChatSenderRow): (typeof columns)[number][] {
  const told = (name: (typeof columns)[number]) => draft[name]?.trim() !== '' && draft[name] != null
  return columns.filter((name) => told(name) && draft[name] !== known[name])
}

/** Whether a telephone or an e-mail is told that is not known of him. */
export const hasNewReach = (draft: SenderDraft, known: ChatSenderRow): boolean =>
  newsOf(draft, known).some((name) => name === 'phone' || name === 'email')

/** The sender as he is after this; one write, and none where nothing is new. */
export async function saveSender(
  ctx: Context,
  tx: Tx,
  { account, channel }: ChatCaller,
  draft: SenderDraft,
  known: ChatSenderRow | null,
): Promise<ChatSenderRow> {
  const now = ctx.now()
  const base: ChatSenderRow = known ?? {
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
  const news = newsOf(draft, base)
  const change = Object.fromEntries(news.map((name) => [name, draft[name]]))
  const sender = { ...base, ...change }
  const { account_id, id } = sender
  if (!known) await insertSender(tx, sender)
  else if (news.length > 0) await updateSender(tx, { ...change, account_id, id, updated_at: now })
  return sender
}

export const reachOf = ({ phone, email }: SenderDraft | ChatSenderRow): ContactDetails => ({
  phone: phone?.trim() || null,
  email: email?.trim() || null,
})
