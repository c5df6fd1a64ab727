import type { Actor } from '../../accounts/accounts.ts'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/database.ts'
import type { ConversationRow, TalkRow } from '../../db/tables.ts'
import { notFound } from '../../entities/entities.ts'
import { Refusal } from '../../errors.ts'
import { type ChatReader, requireChat, visibleChat } from './chat-rights.ts'
import { changeConversation } from './conversation-changes.ts'
import { findTalk, updateTalk } from './talk-queries.ts'
import { announceTalk } from './webhook-talks.ts'

export const talkClosed = () => new Refusal('unprocessable', 'Talk is closed', { code: 'talk_closed' })

/** A talk and its chat, if the actor may see it, else Refusal('not_found'). */
export async function visibleTalk(
  db: Db,
  reader: ChatReader,
  id: number,
): Promise<{ talk: TalkRow; conversation: ConversationRow }> {
  const talk = await findTalk(db, reader.access.actor.account_id, id)
  if (!talk) throw notFound()
  return { talk, conversation: await visibleChat(db, reader, talk.conversation_id) }
}

/**
 * Closes a talk and marks it as read, if the actor may write in its chat. The next message opens a new talk. Throws
 * Refusal('unprocessable') if the talk is closed, as documented.
 */
export async function closeTalk(ctx: Context, actor: Actor, id: number): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    const known = await findTalk(tx, actor.account_id, id)
    // An unknown talk is refused like an unknown chat.
    const conversation = await requireChat(tx, actor, known?.conversation_id ?? '')
    // Read again under the lock.
    const talk = (await findTalk(tx, actor.account_id, id)) as TalkRow
    if (talk.closed_at !== null) throw talkClosed()
    const now = ctx.now()
    await updateTalk(tx, { account_id: talk.account_id, id, closed_at: now, updated_at: now })
    if (conversation.talk_id === id)
      await changeConversation(ctx, tx, conversation, { is_in_work: 0, unread_count: 0, typing_until: null })
    await announceTalk(ctx, tx, actor, 'update_talk', conversation, id)
  })
}
