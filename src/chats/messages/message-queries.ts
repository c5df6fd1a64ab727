import { type Expression, type SqlBool, sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'
import { isOneOf } from '../../db/dialect.ts'
import { prepared } from '../../db/prepared.ts'
import { insertRows, updateRows } from '../../db/row-sets.ts'
import type { ChatMessageRow } from '../../db/tables.ts'

export const insertMessages = (tx: Tx, rows: ChatMessageRow[]): Promise<void> =>
  insertRows(tx, 'chat_messages', rows)

export const updateMessages = (
  tx: Tx,
  rows: (Pick<ChatMessageRow, 'account_id' | 'id'> & Partial<ChatMessageRow>)[],
): Promise<void> => updateRows(tx, 'chat_messages', ['account_id', 'id'], rows)

const messageById = prepared((db, at: { account_id: number; id: string }) =>
  db.selectFrom('chat_messages').selectAll().where('account_id', '=', at.account_id).where('id', '=', at.id),
)

export async function findMessage(
  db: Db,
  account_id: number,
  id: string,
): Promise<ChatMessageRow | undefined> {
  const [row] = await messageById(db, { account_id, id })
  return row
}

/** Among the latest fifty messages, because their ids rise with time. By the primary key. */
export async function latestMessage(
  db: Db,
  account_id: number,
  direction: 'in' | 'out',
): Promise<ChatMessageRow | undefined> {
  const latest = db.selectFrom('chat_messages').selectAll().where('account_id', '=', account_id)
  const rows = await latest.orderBy('id', 'desc').limit(50).execute()
  return rows.find((row) => row.direction === direction)
}

/** The existing messages among these ids. By the primary key. */
export function findMessages(db: Db, account_id: number, ids: readonly string[]): Promise<ChatMessageRow[]> {
  return messagesByIds(db, { account_id, ids })
}

/** The same, only in conversations that meet a condition. */
export function findMessagesOf(
  db: Db,
  account_id: number,
  ids: readonly string[],
  seen: Expression<SqlBool> | null,
): Promise<ChatMessageRow[]> {
  return db
    .selectFrom('chat_messages')
    .innerJoin('conversations', (join) =>
      join
        .on('conversations.account_id', '=', account_id)
        .onRef('conversations.id', '=', 'chat_messages.conversation_id'),
    )
    .selectAll('chat_messages')
    .where('chat_messages.account_id', '=', account_id)
    .where((eb) => isOneOf(db, eb.ref('chat_messages.id'), ids))
    .$if(seen !== null, (query) => query.where(seen as Expression<SqlBool>))
    .execute()
}

/** Messages that carry the file whose uuid is in a column, joined with their conversations. Index: chat_messages_by_file. */
export const messagesWithFile = (db: Db, account_id: number, uuid_column: string) =>
  db
    .selectFrom('chat_messages')
    .innerJoin('conversations', (join) =>
      join
        .on('conversations.account_id', '=', account_id)
        .onRef('conversations.id', '=', 'chat_messages.conversation_id'),
    )
    .select(sql.lit(1).as('one'))
    .where('chat_messages.account_id', '=', account_id)
    .where('chat_messages.file_uuid', '=', sql.ref<string>(uuid_column))

const messagesByIds = prepared((db, at: { account_id: number; ids: readonly string[] }) =>
  db
    .selectFrom('chat_messages')
    .selectAll()
    .where('account_id', '=', at.account_id)
    .where((eb) => isOneOf(db, eb.ref('id'), at.ids)),
)

/** Messages of a conversation before a position, latest first. Index: chat_messages_by_position. */
export const messagesBefore = prepared(
  (db, at: { account_id: number; conversation_id: string; before: number; limit: number }) =>
    db
      .selectFrom('chat_messages')
      .selectAll()
      .where('account_id', '=', at.account_id)
      .where('conversation_id', '=', at.conversation_id)
      .where('position', '<', at.before)
      .orderBy('position', 'desc')
      .limit(at.limit),
) satisfies (db: Db, at: never) => Promise<ChatMessageRow[]>

/**
 * Messages between two positions of a conversation that were written in a span of time, latest first. Index:
 * chat_messages_by_position.
 */
export function messagesBetween(
  db: Db,
  { account_id, conversation_id }: { account_id: number; conversation_id: string },
  { after, before }: { after: number; before: number },
  { from, to }: { from: number | null; to: number | null },
  { limit, offset }: { limit: number; offset: number },
): Promise<ChatMessageRow[]> {
  return db
    .selectFrom('chat_messages')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('conversation_id', '=', conversation_id)
    .where('position', '>', after)
    .where('position', '<', before)
    .$if(from !== null, (query) => query.where('created_at', '>=', from as number))
    .$if(to !== null, (query) => query.where('created_at', '<=', to as number))
    .orderBy('position', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
}

/** A message of a channel by the id that the provider gave it. Index: chat_messages_by_external_id. */
export function findByExternalId(
  db: Db,
  { account_id, channel_id }: { account_id: number; channel_id: string },
  external_id: string,
): Promise<ChatMessageRow | undefined> {
  return db
    .selectFrom('chat_messages')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('channel_id', '=', channel_id)
    .where('external_id', '=', external_id)
    .executeTakeFirst()
}
