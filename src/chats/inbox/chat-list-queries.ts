import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { isOneOf, mergedRanges } from '../../db/dialect.ts'
import type { ConversationRow } from '../../db/tables.ts'
import { recordsWithWord } from '../../entities/entities.ts'
import { conversationIdsOf } from '../conversations/conversation-queries.ts'

type Condition = Expression<SqlBool>

/**
 * Conversations are read from the latest activity on. A filter has an index in that order, or selects so few rows that
 * they are sorted: the conversations of a record, or of people with a name. Other conditions are checked row by row.
 */
export interface Walk {
  account_id: number
  /** Null for all channels. */
  channel_ids: string[] | null
  is_unread: boolean
  contact_ids: number[] | null
  lead_ids: number[] | null
  /** Prefixes of words in the contact's name, and the condition on contacts that the user may see. */
  words: string[]
  contact_seen: Condition | null
  /** The records of a user who sees few. */
  among: { leads: number[]; contacts: number[] } | null
  from: Place | null
}

/** The conversation after which a page begins. */
export interface Place {
  last_message_at: number
  id: string
}

type Rows = RawBuilder<ConversationRow>

/** A chat that has a contact. One without is shown when somebody writes in it (C14). */
const isBegun = sql<SqlBool>`conversations.contact_id > ${sql.lit(0)}`

/** The next rows of a walk. */
export function stretchOf(
  db: Db,
  walk: Walk,
  { limit, offset = 0 }: { limit: number; offset?: number },
): Rows {
  const ranges = (walk.channel_ids ?? [null]).map(
    (channel_id) =>
      sql`select conversations.* from conversations where ${conditionsOf(db, walk, channel_id)}`,
  )
  const order = sql`last_message_at desc, id desc`
  return ranges.length === 1
    ? sql`${ranges[0]} order by ${order} limit ${limit} offset ${offset}`
    : sql`select * from (${mergedRanges(db, ranges, order, { limit, offset })}) as conversations order by ${order}`
}

/** Of the next `window` rows of a walk the first that fulfil a condition on `conversations`. */
export function seenOf(db: Db, walk: Walk, seen: Condition, window: number, limit: number): Rows {
  return sql`select * from (${stretchOf(db, walk, { limit: window })}) as conversations
    where ${seen} order by last_message_at desc, id desc limit ${limit}`
}

function conditionsOf(db: Db, walk: Walk, channel_id: string | null) {
  const { account_id, from, contact_ids, lead_ids, words, contact_seen, among } = walk
  const column = (name: keyof ConversationRow) => sql.ref(`conversations.${name}`)
  const conditions: Condition[] = [
    sql<SqlBool>`conversations.account_id = ${account_id}`,
    isBegun,
    ...(channel_id === null ? [] : [sql<SqlBool>`conversations.channel_id = ${channel_id}`]),
    // A literal, because the partial index is only used for exactly this condition.
    ...(walk.is_unread ? [sql<SqlBool>`conversations.unread_count > ${sql.lit(0)}`] : []),
    ...(contact_ids ? [isOneOf(db, column('contact_id'), contact_ids)] : []),
    ...(lead_ids ? [isOneOf(db, column('lead_id'), lead_ids)] : []),
    ...words.map(
      (word) =>
        sql<SqlBool>`conversations.contact_id in ${recordsWithWord(db, account_id, 'contacts', word)}`,
    ),
    ...(words.length > 0 && contact_seen ? [contact_seen] : []),
    ...(among ? [sql<SqlBool>`conversations.id in ${conversationIdsOf(db, account_id, among)}`] : []),
    ...(from
      ? [
          sql<SqlBool>`(conversations.last_message_at, conversations.id) < (${from.last_message_at}, ${from.id})`,
        ]
      : []),
  ]
  return sql.join(conditions, sql` and `)
}

/** A change of a conversation, for the stream. */
export type ChatChange = Pick<ConversationRow, 'id' | 'version' | 'changed_at'>

/** The conversations that were changed since a time, in the order of the change. Index: conversations_by_change. */
export function changesSince(
  { account_id, since, after }: { account_id: number; since: number; after: ChatChange | null },
  seen: Condition | null,
  limit: number,
): RawBuilder<ChatChange> {
  return sql`select conversations.id, conversations.version, conversations.changed_at from conversations
    where conversations.account_id = ${account_id} and conversations.changed_at >= ${since} and ${isBegun}
      ${after ? sql`and (conversations.changed_at, conversations.id) > (${after.changed_at}, ${after.id})` : sql``}
      ${seen ? sql`and ${seen}` : sql``}
    order by conversations.changed_at, conversations.id limit ${limit}`
}

/** Channels as chats show them, deleted ones too, and whether the account is connected. */
export function findShownChannels(db: Db, account_id: number, ids: readonly string[]) {
  return db
    .selectFrom('channels')
    .leftJoin('channel_connections as connection', (join) =>
      join.onRef('connection.channel_id', '=', 'channels.id').on('connection.account_id', '=', account_id),
    )
    .where((eb) => isOneOf(db, eb.ref('channels.id'), ids))
    .select(['channels.id', 'channels.name', 'channels.state', 'channels.is_deleted'])
    .select(['connection.connected_at', 'connection.hook_api_version'])
    .execute()
}
