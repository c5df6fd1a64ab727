import type { Context } from '../../context.ts'
import type { Tx } from '../../db/database.ts'
import type { ConversationRow, TalkRow } from '../../db/tables.ts'
import type { Cause } from '../../events/events.ts'
import { announce, type FormObject, findSubscriptions, type Sample } from '../../webhooks/webhooks.ts'
import { findConversations } from './conversation-queries.ts'
import { findTalk, latestTalk } from './talk-queries.ts'

/** Announces that a talk of a locked conversation was opened, or that it was read or closed. */
export async function announceTalk(
  ctx: Context,
  tx: Tx,
  by: Cause,
  code: 'add_talk' | 'update_talk',
  conversation: ConversationRow,
  talk_id = conversation.talk_id,
): Promise<void> {
  const { account_id } = conversation
  const subscriptions = await findSubscriptions(tx, account_id)
  if (!subscriptions?.has(code)) return
  const talk = await findTalk(tx, account_id, talk_id)
  if (!talk) return
  const change = { codes: [code] as const, record: `talks ${talk_id}`, item: itemOf(talk, conversation) }
  await announce(ctx, tx, by, subscriptions, [change])
}

/** The item that a change of the latest talk would announce. */
export const sampleTalk: Sample = async (db, account_id) => {
  const talk = await latestTalk(db, account_id)
  const conversation = talk && (await findConversations(db, account_id, [talk.conversation_id]))[0]
  return talk && conversation ? itemOf(talk, conversation) : null
}

/** A talk with its members in the platform's order (docs/wire/webhooks.md#talks). */
const itemOf = (talk: TalkRow, conversation: ConversationRow): FormObject => ({
  talk_id: talk.id,
  created_at: talk.created_at,
  updated_at: talk.updated_at,
  rate: 0,
  contact_id: talk.contact_id,
  chat_id: talk.conversation_id,
  entity_id: talk.lead_id,
  entity_type: talk.lead_id === null ? null : 'lead',
  is_in_work: talk.closed_at === null,
  is_read: talk.id !== conversation.talk_id || conversation.unread_count === 0,
  origin: conversation.channel_id,
})
