import { type Expression, type SqlBool, sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'
import { forUpdate, isOneOf } from '../../db/dialect.ts'
import { prepared } from '../../db/prepared.ts'
import { insertRows, updateRows } from '../../db/row-sets.ts'
import type { ChatMessageRow, ConversationRow } from '../../db/tables.ts'

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

/** Those of the messages that exist; by the primary key. */
export function findMessages(db: Db, account_id: number, ids: readonly string[]): Promise<ChatMessageRow[]> {
  return messagesByIds(db, { account_id, ids })
}

/** The same, of conversations that fulfil a condition. */
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
        .onRef('conversations.account_id', '=', 'chat_messages.account_id')
        .onRef('conversations.id', '=', 'chat_messages.conversation_id'),
    )
    .selectAll('chat_messages')
    .where('chat_messages.account_id', '=', account_id)
    .where((eb) => isOneOf(db, eb.ref('chat_messages.id'), ids))
    .$if(seen !== null, (query) => query.where(seen as Expression<SqlBool>))
    .execute()
}

/** The messages with which the file was sent whose uuid stands in a column, each with its chat; by chat_messages_by_file. */
export const messagesWithFile = (db: Db, account_id: number, uuid_column: string) =>
  db
    .selectFrom('chat_messages')
    .innerJoin('conversations', (join) =>
      join
        .onRef('conversations.account_id', '=', 'chat_messages.account_id')
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

const conversationAndLock = prepared((db, at: { account_id: number; id: string }) =>
  db
    .selectFrom('conversations')
    .selectAll()
    .where('account_id', '=', at.account_id)
    .where('id', '=', at.id)
    .modifyEnd(forUpdate(db)),
)

/** The conversation, locked until the transaction ends: messages of one conversation are written one after the other. */
export async function lockConversation(
  tx: Tx,
  account_id: number,
  id: string,
): Promise<ConversationRow | undefined> {
  const [row] = await conversationAndLock(tx, { account_id, id })
  return row
}

/** The conversations of these messages, locked in one order by all who lock several. */
export function lockHomes(
  tx: Tx,
  account_id: number,
  messages: readonly string[],
): Promise<ConversationRow[]> {
  return homesOf(tx, { account_id, messages })
}

const homesOf = prepared((db, at: { account_id: number; messages: readonly string[] }) =>
  db
    .selectFrom('conversations')
    .selectAll()
    .where('account_id', '=', at.account_id)
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('chat_messages as message')
        .select('message.conversation_id')
        .where('message.account_id', '=', at.account_id)
        .where((inner) => isOneOf(db, inner.ref('message.id'), at.messages)),
    )
    .orderBy('id')
    .modifyEnd(forUpdate(db, 'conversations')),
)

export const updateConversations = (
  tx: Tx,
  rows: (Pick<ConversationRow, 'account_id' | 'id'> & Partial<ConversationRow>)[],
): Promise<void> => updateRows(tx, 'conversations', ['account_id', 'id'], rows)
