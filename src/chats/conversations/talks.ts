import { type Actor, requirePaid } from '../../accounts/accounts.ts'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/database.ts'
import type { TalkRow } from '../../db/tables.ts'
import { type Access, can, findEntities, notFound } from '../../entities/entities.ts'
import { self } from '../../http/hal.ts'
import { chatReader, requireChat, visibleChat } from './chat-rights.ts'
import { changeConversation } from './conversation-changes.ts'

import { findTalk, updateTalk } from './talk-queries.ts'
import type { Talk } from './talk-schemas.ts'
import { announceTalk } from './webhook-talks.ts'

/** A talk of a chat that the actor may see, else Refusal('not_found'). `base` is the URL of the surface. */
export async function readTalk(ctx: Context, actor: Actor, id: number, base: string): Promise<Talk> {
  requirePaid(ctx, actor)
  const talk = await findTalk(ctx.db, actor.account_id, id)
  if (!talk) throw notFound()
  const reader = await chatReader(ctx.db, actor)
  const conversation = await visibleChat(ctx.db, reader, talk.conversation_id)
  const isLast = conversation.talk_id === talk.id
  const contacts = await linked(ctx.db, reader.access, 'contacts', talk.contact_id, base)
  const leads = await linked(ctx.db, reader.access, 'leads', talk.lead_id, base)
  const [lead] = leads
  return {
    talk_id: talk.id,
    created_at: talk.created_at,
    updated_at: isLast ? Math.max(talk.updated_at, conversation.last_message_at) : talk.updated_at,
    rate: 0,
    contact_id: talk.contact_id,
    chat_id: talk.conversation_id,
    entity_id: lead?.id ?? null,
    entity_type: lead ? 'lead' : null,
    is_in_work: talk.closed_at === null,
    is_read: !isLast || conversation.unread_count === 0,
    origin: conversation.channel_id,
    missed_at: null,
    account_id: talk.account_id,
    _links: self(`${base}/talks/${talk.id}`),
    _embedded: { contacts, leads, customers: [] },
  }
}

/** A live record that the actor may see, as it is embedded; empty if there is none. */
async function linked(
  db: Db,
  access: Access,
  type: 'contacts' | 'leads',
  id: number | null,
  base: string,
): Promise<Talk['_embedded']['leads']> {
  const [row] = id === null ? [] : await findEntities(db, access.actor.account_id, type, [id])
  if (!row || row.is_deleted === 1 || !can(access, 'view', row)) return []
  return [{ id: row.id, _links: self(`${base}/${type}/${row.id}`) }]
}

/**
 * Closes a talk and marks it as read, if the actor may write in its chat. The next message opens a new talk. A
 * closed talk stays closed.
 */
export async function closeTalk(ctx: Context, actor: Actor, id: number): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    const known = await findTalk(tx, actor.account_id, id)
    // An unknown talk is refused like an unknown chat.
    const conversation = await requireChat(tx, actor, known?.conversation_id ?? '')
    // Read again under the lock.
    const talk = (await findTalk(tx, actor.account_id, id)) as TalkRow
    if (talk.closed_at !== null) return
    const now = ctx.now()
    await updateTalk(tx, { account_id: talk.account_id, id, closed_at: now, updated_at: now })
    if (conversation.talk_id === id)
      await changeConversation(ctx, tx, conversation, { is_in_work: 0, unread_count: 0, typing_until: null })
    await announceTalk(ctx, tx, actor, 'update_talk', conversation, id)
  })
}
