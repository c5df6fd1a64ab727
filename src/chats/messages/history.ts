import { chatNames } from '../../accounts/accounts.ts'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/database.ts'
import type { ChatMessageRow, ChatSenderRow, ConversationRow } from '../../db/tables.ts'
import { clientView } from '../conversations/chat-creation.ts'
import { findConversation, findConversations } from '../conversations/conversation-queries.ts'
import { findSenders } from '../conversations/participant-queries.ts'
import { isUuid } from '../scopes/channel-queries.ts'
import type { ChatCaller } from '../scopes/chat-caller.ts'
import type { HistoryPage, Participant, PastMessage } from '../scopes/provider-schemas.ts'
import { botIdOf } from '../scopes/scopes.ts'
import { momentOf } from './callback-body.ts'
import { messagesBefore } from './message-queries.ts'

/**
 * Messages of a conversation, latest first (C9). The conversation is named by the provider's id or by ours. An
 * unknown one has no messages.
 */
export async function readHistory(
  ctx: Context,
  caller: ChatCaller,
  conversation_id: string,
  { offset, limit }: HistoryPage,
): Promise<PastMessage[]> {
  const conversation = await namedConversation(ctx.db, caller, conversation_id)
  if (!conversation) return []
  // Positions have no gaps, so a page is a range of them, however deep it is.
  const { account_id, id, last_position } = conversation
  const before = last_position - offset + 1
  const rows = await messagesBefore(ctx.db, { account_id, conversation_id: id, before, limit })
  if (rows.length === 0) return []
  const write = await participantsOf(ctx.db, conversation, rows)
  return rows.map((row) => ({
    timestamp: row.sent_at,
    msec_timestamp: millisecondsOf(row),
    ...write(row),
    message: shown(row),
  }))
}

async function namedConversation(
  db: Db,
  { channel, account }: ChatCaller,
  id: string,
): Promise<ConversationRow | undefined> {
  const named = await findConversation(db, {
    account_id: account.id,
    channel_id: channel.id,
    external_id: id,
  })
  if (named || !isUuid(id)) return named
  const [own] = await findConversations(db, account.id, [id])
  return own?.channel_id === channel.id ? own : undefined
}

/** The sender and the receiver of each message; reads all of them at once. */
async function participantsOf(
  db: Db,
  { account_id, channel_id, sender_id }: ConversationRow,
  rows: ChatMessageRow[],
): Promise<(row: ChatMessageRow) => { sender: Participant; receiver?: Participant }> {
  const senders = await findSenders(db, account_id, [
    ...new Set([sender_id, ...rows.flatMap((row) => row.sender_id ?? [])]),
  ])
  const people = await chatNames(db, [...new Set(rows.flatMap(({ user_id }) => user_id || []))])
  const bot: Participant = { id: botIdOf(channel_id), name: 'Bot' }
  const client = clientView(senders.get(sender_id) as ChatSenderRow)
  return (row) => {
    const sender = row.sender_id === null ? undefined : senders.get(row.sender_id)
    const person = people.get(row.user_id)
    if (row.direction === 'in') return { sender: sender ? clientView(sender) : client }
    if (person) return { sender: { id: person.amojo_id, name: person.name }, receiver: client }
    return { sender: sender ? clientView(sender) : bot, receiver: client }
  }
}

/** The provider's own time, else the one in the callback. */
function millisecondsOf(row: ChatMessageRow): number {
  const { msec_timestamp } = JSON.parse(row.content) as { msec_timestamp?: number }
  return msec_timestamp ?? (row.origin === 'channel' ? row.sent_at * 1000 : momentOf(row))
}

function shown(row: ChatMessageRow): PastMessage['message'] {
  const { location, contact, media_duration } = JSON.parse(row.content) as Partial<PastMessage['message']>
  return {
    id: row.id,
    ...(row.external_id !== null && { client_id: row.external_id }),
    type: row.type,
    text: row.text,
    media: row.media ?? '',
    thumbnail: row.thumbnail ?? '',
    file_name: row.file_name ?? '',
    file_size: row.file_size ?? 0,
    ...(location !== undefined && { location }),
    ...(contact !== undefined && { contact }),
    ...(media_duration !== undefined && { media_duration }),
  }
}
