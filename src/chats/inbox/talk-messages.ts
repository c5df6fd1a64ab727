import { type Actor, chatNames } from '../../accounts/accounts.ts'
import type { Context } from '../../context.ts'
import type { Tx } from '../../db/database.ts'
import type { ChatMessageRow, TalkRow } from '../../db/tables.ts'
import { findFileVersion, renewedLink } from '../../drive/drive.ts'
import { invalid, noSuch } from '../../errors.ts'
import type { Page, Position } from '../../http/queries/paging.ts'
import type { Range } from '../../http/queries/query-values.ts'
import { requireChat } from '../conversations/chat-rights.ts'
import { findSenders } from '../conversations/participant-queries.ts'
import { endOfTalk, findTalk } from '../conversations/talk-queries.ts'
import { talkClosed } from '../conversations/talks.ts'
import { messagesBetween } from '../messages/message-queries.ts'
import { type OutgoingDraft, sendMessage } from '../messages/send.ts'
import { botIdOf } from '../scopes/scopes.ts'
import { readDraft } from './reply.ts'
import type { NewTalkMessage, TalkMessage } from './talk-message-schemas.ts'

/** A page of the messages of a talk, latest first, and the position of the next one. */
export async function readTalkMessages(
  { db }: Context,
  talk: TalkRow,
  span: Range,
  page: Page,
  after: Position | null,
): Promise<{ rows: ChatMessageRow[]; next: Position | null }> {
  const end = await endOfTalk(db, talk)
  const before = after?.id ?? (end === null ? Number.MAX_SAFE_INTEGER : end + 1)
  const stretch = { limit: page.limit + 1, offset: after ? 0 : page.offset }
  const found = await messagesBetween(db, talk, { after: talk.position, before }, span, stretch)
  const rows = found.slice(0, page.limit)
  const last = rows.at(-1)
  const next = found.length > page.limit && last ? { value: last.position, id: last.position } : null
  return { rows, next }
}

/** Messages with their members in the platform's order (docs/wire/chats.md#messages-of-talks). */
export async function showTalkMessages(
  ctx: Context,
  account_id: number,
  rows: readonly ChatMessageRow[],
  origin: string,
): Promise<TalkMessage[]> {
  const [senders, people] = await Promise.all([
    findSenders(ctx.db, account_id, [...new Set(rows.flatMap((row) => row.sender_id ?? []))]),
    chatNames(ctx.db, [...new Set(rows.flatMap((row) => row.user_id || []))]),
  ])
  const authorOf = ({ sender_id, user_id, channel_id }: ChatMessageRow): TalkMessage['author'] => {
    const sender = sender_id === null ? undefined : senders.get(sender_id)
    if (sender) return { id: sender.id, type: 'external', name: sender.name, avatar_url: sender.avatar }
    const person = people.get(user_id)
    if (person) return { id: person.amojo_id, type: 'internal', name: person.name, avatar_url: null }
    return { id: botIdOf(channel_id), type: 'bot', name: 'Bot', avatar_url: null }
  }
  return rows.map((row) => ({
    id: row.id,
    type: row.direction === 'in' ? 'incoming' : 'outgoing',
    message_type: row.type,
    origin: row.channel_id,
    text: row.text,
    author: authorOf(row),
    delivery_status: statuses[row.state] ?? null,
    attachment: attachmentOf(ctx, row, origin),
    created_at: row.created_at,
  }))
}

/** The status of each state of a delivery. */
const statuses: Record<string, TalkMessage['delivery_status']> = {
  pending: 'sent',
  delivered: 'delivered',
  read: 'delivered',
  failed: 'error',
}

/** Links to files of the account are renewed for each reader. */
function attachmentOf(
  ctx: Context,
  { type, media, file_uuid, file_name }: ChatMessageRow,
  origin: string,
): TalkMessage['attachment'] {
  if (media === null) return null
  return { type, link: file_uuid === null ? media : renewedLink(ctx, origin, media), file_name }
}

/** Sends a text or a file in a talk that is open, and returns the id of the message. */
export async function sendInTalk(
  ctx: Context,
  actor: Actor,
  id: number,
  written: NewTalkMessage,
): Promise<string> {
  const message = await ctx.db.transaction().execute(async (tx) => {
    const known = await findTalk(tx, actor.account_id, id)
    const conversation = await requireChat(tx, actor, known?.conversation_id ?? '')
    // Read again under the lock.
    const talk = (await findTalk(tx, actor.account_id, id)) as TalkRow
    if (talk.closed_at !== null) throw talkClosed()
    return sendMessage(ctx, tx, actor, conversation, await readTalkDraft(tx, actor, written))
  })
  ctx.queued.ring()
  return message.id
}

/** The attachment names a file as the inbox does, and a version of it, which need not be the active one. */
async function readTalkDraft(
  tx: Tx,
  actor: Actor,
  { text, attachment }: NewTalkMessage,
): Promise<OutgoingDraft> {
  const { file: found, ...draft } = await readDraft(
    tx,
    actor,
    { text, file_uuid: attachment?.drive_uuid },
    'attachment.drive_uuid',
  )
  if (!found || !attachment) return draft
  const { drive_version_uuid = found.version_uuid, type } = attachment
  const file = await findFileVersion(tx, actor.account_id, found, drive_version_uuid.toLowerCase())
  if (!file)
    throw invalid('attachment.drive_version_uuid', 'NotSupportedChoice', noSuch('version of this file'))
  if (type === 'picture' && file.previews === 0 && !file.mime_type.startsWith('image/'))
    throw invalid(
      'attachment.type',
      'NotSupportedChoice',
      `This file has the type ${file.mime_type}, which is no image. Expected: file.`,
    )
  return { ...draft, file, sent_as: type }
}
