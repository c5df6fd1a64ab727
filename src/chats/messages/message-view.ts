import { type Actor, userNames } from '../../accounts/accounts.ts'
import type { ActingIntegration, Context } from '../../context.ts'
import type { ChatMessageRow, ChatReactionRow, DeliveryRow } from '../../db/tables.ts'
import { renewedLink } from '../../drive/drive.ts'
import { findDeliveries } from '../../outbound/deliveries.ts'
import { chatReader } from '../conversations/chat-rights.ts'
import { findSenders } from '../conversations/participant-queries.ts'
import { findMessagesOf } from './message-queries.ts'
import type { ChatAuthor, ChatMessage } from './message-schemas.ts'
import { findReactions } from './reaction-queries.ts'
import { CHAT_MESSAGE } from './send.ts'

interface Showing {
  /** Scheme, host and port of the request. */
  origin: string
  /** Whether the integrations that wrote or pushed the messages are shown. */
  withIntegrations?: boolean
}

/** The rows that one response needs, read at once. */
interface Related {
  ctx: Context
  /** Scheme, host and port of the request. */
  origin: string
  senders: ReadonlyMap<string, { name: string }>
  people: ReadonlyMap<number, string>
  /** By number; null if they are not shown. */
  integrations: ReadonlyMap<number, ActingIntegration> | null
  reactions: ReadonlyMap<string, ChatReactionRow[]>
  deliveries: ReadonlyMap<number, DeliveryRow>
}

/** Messages of an account as the API shows them, in the given order. */
export async function showMessages(
  ctx: Context,
  account_id: number,
  rows: readonly ChatMessageRow[],
  { origin, withIntegrations = false }: Showing,
): Promise<ChatMessage[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const sent = rows.filter(({ delivery_id }) => delivery_id !== null).map(({ id }) => id)
  const [reactions, deliveries] = await Promise.all([
    findReactions(ctx.db, account_id, ids),
    findDeliveries(ctx.db, account_id, CHAT_MESSAGE, sent),
  ])
  const authors = [...rows.map(authorKey), ...reactions.map(({ author }) => author)]
  const named = (kind: string) =>
    authors.filter((key) => key.startsWith(kind)).map((key) => key.slice(kind.length))
  const numbers = rows.map(({ by_integration }) => by_integration)
  const [senders, people, integrations] = await Promise.all([
    findSenders(ctx.db, account_id, [...new Set(named('sender:'))]),
    userNames(ctx.db, [...new Set(named('user:').map(Number))]),
    withIntegrations ? ctx.actingIntegrations.find(ctx, account_id, numbers) : null,
  ])
  const around: Related = {
    ctx,
    origin,
    senders,
    people,
    integrations,
    reactions: Map.groupBy(reactions, ({ message_id }) => message_id),
    deliveries: new Map(deliveries.map((row) => [row.id, row])),
  }
  return rows.map((row) => view(row, around))
}

/** Those of the messages that are in chats the actor may see, by id. */
export async function readMessages(
  ctx: Context,
  actor: Actor,
  ids: readonly string[],
  showing: Showing,
): Promise<Map<string, ChatMessage>> {
  if (ids.length === 0) return new Map()
  const { seen } = await chatReader(ctx.db, actor)
  const rows = await findMessagesOf(ctx.db, actor.account_id, ids, seen)
  const messages = await showMessages(ctx, actor.account_id, rows, showing)
  return new Map(messages.map((message) => [message.id, message]))
}

/** The format of the authors of reactions; without a user it is the bot. */
function authorKey({ direction, sender_id, user_id }: ChatMessageRow): string {
  if (direction === 'in' && sender_id !== null) return `sender:${sender_id}`
  return user_id === 0 ? 'bot' : `user:${user_id}`
}

function authorOf(key: string, { senders, people }: Related): ChatAuthor {
  const [type, id = ''] = key.split(':')
  if (type === 'sender') return { type, id, name: senders.get(id)?.name ?? '' }
  if (type === 'user') return { type, id: Number(id), name: people.get(Number(id)) ?? '' }
  return { type: 'bot', id: null, name: 'Bot' }
}

function view(row: ChatMessageRow, around: Related): ChatMessage {
  const { ctx, origin, reactions, deliveries } = around
  const delivery = row.delivery_id === null ? undefined : deliveries.get(row.delivery_id)
  // The sent link expires, but the file stays: readers get a fresh link.
  const shown = (url: string | null) =>
    url !== null && row.file_uuid !== null ? renewedLink(ctx, origin, url) : url
  return {
    id: row.id,
    chat_id: row.conversation_id,
    position: row.position,
    direction: row.direction as ChatMessage['direction'],
    origin: row.origin as ChatMessage['origin'],
    type: row.type,
    text: row.text,
    media: shown(row.media),
    thumbnail: shown(row.thumbnail),
    file_name: row.file_name,
    file_size: row.file_size,
    content: JSON.parse(row.content),
    author: authorOf(authorKey(row), around),
    ...(around.integrations && { by_integration: around.integrations.get(row.by_integration ?? 0) ?? null }),
    state: row.state as ChatMessage['state'],
    error_code: row.error_code,
    error: row.error,
    attempts: delivery?.attempts ?? 0,
    next_attempt_at: row.state === 'pending' && delivery ? nextAttemptOf(delivery) : null,
    reactions: (reactions.get(row.id) ?? []).map(({ emoji, author }) => ({
      emoji,
      author: authorOf(author, around),
    })),
    sent_at: row.sent_at,
    created_at: row.created_at,
    edited_at: row.edited_at,
  }
}

/** Null during an attempt, and while it waits for an earlier message or for the endpoint. */
const nextAttemptOf = ({ state, next_attempt_at }: DeliveryRow): number | null =>
  state === 'ready' ? next_attempt_at : null
