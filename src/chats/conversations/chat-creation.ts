import { chatNames, findMemberByAmojoId } from '../../accounts/accounts.ts'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/database.ts'
import type { ChatSenderRow } from '../../db/tables.ts'
import { type Fault, invalid, Refusal } from '../../errors.ts'
import { isUuid } from '../scopes/channel-queries.ts'
import type { ChatCaller } from '../scopes/chat-caller.ts'
import type { NewChat, Participant, ProviderChat } from '../scopes/provider-schemas.ts'
import { botIdOf } from '../scopes/scopes.ts'
import { retryOnConflict } from './conflicts.ts'
import { type ConversationDraft, ensureConversation, resolveConversation } from './conversations.ts'
import { findSenders } from './participant-queries.ts'
import { isMemberSender, type SenderDraft, senderOf } from './senders.ts'

/**
 * Creates a conversation before its first message, without a contact and a lead (C14), or returns the existing one.
 * Throws Refusal('invalid') if the user has neither an id with a name nor a known `ref_id`.
 */
export async function createChat(
  ctx: Context,
  caller: ChatCaller,
  { conversation_id, source, user }: NewChat,
): Promise<ProviderChat> {
  const draft: ConversationDraft = {
    external_id: conversation_id,
    sender: await otherSideOf(ctx.db, caller, user),
    is_empty: true,
    source_external_id: source?.external_id || null,
  }
  return retryOnConflict(() =>
    ctx.db.transaction().execute(async (tx) => {
      const state = await resolveConversation(tx, caller, draft)
      const { conversation, sender } = await ensureConversation(ctx, tx, caller, draft, state)
      const isMember = isMemberSender(sender)
      return { id: conversation.id, user: isMember ? { id: sender.external_id } : clientView(sender) }
    }),
  )
}

async function otherSideOf(db: Db, caller: ChatCaller, user: NewChat['user']): Promise<SenderDraft> {
  const { id, name, ref_id } = user
  if (id && name) return senderOf({ ...user, id, name })
  if (!id && !name && ref_id) return referredTo(db, caller, ref_id)
  const faults = Object.entries({ 'user.id': id, 'user.name': name }).flatMap(([path, value]): Fault[] =>
    value ? [] : [{ request_id: '0', code: 'FieldMissing', path, detail: 'This field is missing.' }],
  )
  throw new Refusal('invalid', 'Request validation failed', { faults })
}

/** A sender of the channel by our id, a member of the account, or the bot. */
async function referredTo(db: Db, { account, channel }: ChatCaller, ref_id: string): Promise<SenderDraft> {
  const known = isUuid(ref_id) ? (await findSenders(db, account.id, [ref_id])).get(ref_id) : undefined
  if (known?.channel_id === channel.id) return { external_id: known.external_id, name: known.name }
  const name = await nameOf(db, account.id, channel.id, ref_id)
  if (name === undefined) throw invalid('user.ref_id', 'NotSupportedChoice', 'user: user not found')
  return { external_id: ref_id, ref_id, name }
}

async function nameOf(
  db: Db,
  account_id: number,
  channel_id: string,
  ref_id: string,
): Promise<string | undefined> {
  if (ref_id === botIdOf(channel_id)) return 'Bot'
  const member = await findMemberByAmojoId(db, account_id, ref_id)
  return member && (await chatNames(db, [member.user_id])).get(member.user_id)?.name
}

/** A sender as the provider sees it. Empty members are left out. */
export const clientView = ({ id, external_id, name, avatar, phone, email }: ChatSenderRow): Participant => ({
  id,
  client_id: external_id,
  name,
  avatar: avatar ?? '',
  ...(phone && { phone }),
  ...(email && { email }),
})
