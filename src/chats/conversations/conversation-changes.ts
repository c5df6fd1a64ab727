import type { Context } from '../../context.ts'
import type { Tx } from '../../db/database.ts'
import type { ConversationRow } from '../../db/tables.ts'
import { findEntities } from '../../entities/entities.ts'
import { moveToRecord, updateConversations } from './conversation-queries.ts'

/** Changes a locked conversation, in the row and in `conversation`, and announces the change to the live stream. */
export async function changeConversation(
  ctx: Context,
  tx: Tx,
  conversation: ConversationRow,
  change: Partial<ConversationRow>,
): Promise<void> {
  Object.assign(conversation, change, { version: conversation.version + 1, changed_at: ctx.now() })
  const { account_id, id, version, changed_at } = conversation
  await updateConversations(tx, [{ ...change, account_id, id, version, changed_at }])
}

/** Moves conversations and their talks when records are merged. */
export const moveConversations =
  (ctx: Context) =>
  (tx: Tx, account_id: number, from_ids: readonly number[], to: number): Promise<void> =>
    moveToRecord(tx, account_id, from_ids, to, ctx.now())

/** The record that the events of a conversation belong to (E5). */
export type ChatSubject =
  | { entity_type: 'lead'; entity_id: number; talk_contact_id: number }
  | { entity_type: 'contact'; entity_id: number }

/** The lead, or the contact if there is no live lead. */
export const subjectFor = (contact_id: number, live_lead_id: number | null): ChatSubject =>
  live_lead_id === null
    ? { entity_type: 'contact', entity_id: contact_id }
    : { entity_type: 'lead', entity_id: live_lead_id, talk_contact_id: contact_id }

export async function subjectOf(
  tx: Tx,
  { account_id, lead_id, contact_id }: ConversationRow,
): Promise<ChatSubject> {
  const [lead] = lead_id === null ? [] : await findEntities(tx, account_id, 'leads', [lead_id])
  return subjectFor(contact_id, lead?.is_deleted === 0 ? lead.id : null)
}
