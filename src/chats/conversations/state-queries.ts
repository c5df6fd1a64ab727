import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { columnTypes } from '../../db/columns.ts'
import type { Db, Tx } from '../../db/database.ts'
import { forUpdate } from '../../db/dialect.ts'
import { prepared } from '../../db/prepared.ts'
import type { ChatMessageRow, ChatSenderRow, ConversationRow } from '../../db/tables.ts'
import { incomingMark, isLiveRecord } from '../../entities/entities.ts'
import { anyWebhook } from '../../webhooks/webhooks.ts'
import { ConversationChanged } from './conflicts.ts'
import type { ConversationKey } from './conversation-queries.ts'

/** A push as far as it decides which rows are read and whether the contact or the lead has to be locked. */
export interface StateQuery extends ConversationKey {
  /** The provider's id of the sender. */
  sender: string
  /** Phone and e-mail of the sender; null if the push has none. */
  phone: string | null
  email: string | null
  /** The provider's id of a message; empty for none. */
  msgid: string
  /** 0 for imported history, and for a chat without a message. */
  opens_lead: 0 | 1
}

/** The stored rows that a push refers to. */
export interface ConversationState {
  conversation: ConversationRow | null
  sender: ChatSenderRow | null
  message: Pick<ChatMessageRow, 'id' | 'conversation_id' | 'body_hash'> | null
  /** The talk is open, the contact is live, and there is a lead unless the push opens none. */
  is_active: boolean
  /** The sender of the conversation has a phone or an e-mail that is not stored yet. */
  has_new_details: boolean
  /** The lead is live. */
  has_lead: boolean
  /** The lead waits in the incoming stage. */
  is_incoming: boolean
  has_intents: boolean
  has_webhooks: boolean
}

type Row = Record<string, unknown>

const columns = {
  conversation: () => [...columnTypes('conversations').keys()],
  sender: () => [...columnTypes('chat_senders').keys()],
  message: () => ['id', 'conversation_id', 'body_hash'],
}
type Joined = keyof typeof columns

/** `sender.name as "sender.name"` and so on: three tables have columns of the same names. */
const select = (name: Joined, alias: string = name) =>
  columns[name]().map((column) => sql.ref(`${alias}.${column}`).as(`${name}.${column}`))

const isActive = (db: Db, at: StateQuery): RawBuilder<SqlBool> => sql<SqlBool>`(
  conversation.is_in_work = 1
  and ${isLiveRecord(db, at.account_id, 'contacts', 'conversation.contact_id')}
  and (conversation.lead_id is not null or ${at.opens_lead} = 0))`

/** The lead waits in the incoming stage, and shows the latest message. */
const isIncoming = (db: Db, at: StateQuery): RawBuilder<SqlBool> =>
  sql<SqlBool>`coalesce(${incomingMark(db, at.account_id, 'conversation.lead_id')}, 0) = 1`

const hasNewDetails = ({ phone, email }: StateQuery): RawBuilder<SqlBool> => sql<SqlBool>`(
  sender.id is not null and sender.id = conversation.sender_id
  and (coalesce(${phone}, sender.phone, '') <> coalesce(sender.phone, '')
    or coalesce(${email}, sender.email, '') <> coalesce(sender.email, '')))`

/** One row if the account is connected to the channel. Each join uses a complete key. */
const stateOf = (db: Db, at: StateQuery) =>
  db
    .selectFrom('channel_connections as connection')
    .leftJoin('conversations as conversation', (join) =>
      join
        .on('conversation.account_id', '=', at.account_id)
        .onRef('conversation.channel_id', '=', 'connection.channel_id')
        .on('conversation.external_id', '=', at.external_id),
    )
    .leftJoin('chat_messages as message', (join) =>
      join
        .on('message.account_id', '=', at.account_id)
        .onRef('message.channel_id', '=', 'connection.channel_id')
        .on('message.external_id', '=', at.msgid),
    )
    .leftJoin('chat_senders as sender', (join) =>
      join
        .on('sender.account_id', '=', at.account_id)
        .onRef('sender.channel_id', '=', 'connection.channel_id')
        .on('sender.external_id', '=', at.sender),
    )
    .where('connection.account_id', '=', at.account_id)
    .where('connection.channel_id', '=', at.channel_id)
    .select([...select('sender'), ...select('message')])
    .select(incomingMark(db, at.account_id, 'conversation.lead_id').as('lead_mark'))
    .select((eb) =>
      eb
        .selectFrom('chat_intents as intent')
        .select('intent.id')
        .where('intent.account_id', '=', at.account_id)
        .limit(1)
        .as('intent_id'),
    )
    .select(anyWebhook(db, at.account_id).as('webhook_id'))

const state = prepared<StateQuery, Row>((db, at) =>
  stateOf(db, at)
    .select(select('conversation'))
    .select([isActive(db, at).as('is_active'), hasNewDetails(at).as('has_new_details')]),
)

/** Reads the state without a lock; undefined if the account is not connected to the channel. */
export async function findState(db: Db, at: StateQuery): Promise<ConversationState | undefined> {
  const [row] = await state(db, at)
  return row && readState(row)
}

/**
 * A conversation whose records need no write is locked by the statement that reads it: most pushes are of this kind.
 * `conversation` is the row as the statement saw it when it began, `locked` the row that the lock was granted for.
 */
const activeAndLocked = prepared<StateQuery, Row>((db, at) =>
  stateOf(db, at)
    .innerJoin('conversations as locked', (join) =>
      join.on('locked.account_id', '=', at.account_id).onRef('locked.id', '=', 'conversation.id'),
    )
    .where(isActive(db, at))
    .where(sql<SqlBool>`not ${hasNewDetails(at)}`)
    .where(sql<SqlBool>`not ${isIncoming(db, at)}`)
    .select([...select('conversation', 'locked'), 'conversation.version as seen_version'])
    .select([sql<SqlBool>`true`.as('is_active'), sql<SqlBool>`false`.as('has_new_details')])
    .modifyEnd(forUpdate(db, 'locked')),
)

/**
 * Locks an active conversation and reads its state; undefined if there is none, or if its contact or lead has to be
 * locked. Throws ConversationChanged if it stopped being active while the statement waited for the lock.
 */
export async function lockActive(tx: Tx, at: StateQuery): Promise<ConversationState | undefined> {
  const [row] = await activeAndLocked(tx, at)
  if (!row || row.seen_version === row['conversation.version']) return row && readState(row)
  // Another transaction changed it, and what was joined may be outdated. This time nothing waits.
  const [current] = await activeAndLocked(tx, at)
  if (!current) throw new ConversationChanged()
  return readState(current)
}

const readState = (row: Row): ConversationState => ({
  conversation: read<ConversationRow>(row, 'conversation'),
  sender: read<ChatSenderRow>(row, 'sender'),
  message: read<ChatMessageRow>(row, 'message'),
  is_active: Boolean(row.is_active),
  has_new_details: Boolean(row.has_new_details),
  has_lead: row.lead_mark !== null,
  is_incoming: Number(row.lead_mark) === 1,
  has_intents: row.intent_id !== null,
  has_webhooks: row.webhook_id !== null,
})

/** Null if the join found nothing. */
function read<T>(row: Row, name: Joined): T | null {
  if (row[`${name}.id`] === null) return null
  return Object.fromEntries(columns[name]().map((column) => [column, row[`${name}.${column}`]])) as T
}
