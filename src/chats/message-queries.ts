import type { Db, Tx } from '../db/database.ts'
import { forUpdate, isOneOf } from '../db/dialect.ts'
import { prepared } from '../db/prepared.ts'
import { insertRows, updateRows } from '../db/row-sets.ts'
import type { ChatMessageRow, ConversationRow } from '../db/tables.ts'

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
  return db
    .selectFrom('chat_messages')
    .selectAll()
    .where('account_id', '=', account_id)
    .where((eb) => isOneOf(db, eb.ref('id'), ids))
    .execute()
}

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

/** Several of them, in one order for all who do. */
export function lockConversations(
  tx: Tx,
  account_id: number,
  ids: readonly string[],
): Promise<ConversationRow[]> {
  return tx
    .selectFrom('conversations')
    .selectAll()
    .where('account_id', '=', account_id)
    .where((eb) => isOneOf(tx, eb.ref('id'), ids))
    .orderBy('id')
    .modifyEnd(forUpdate(tx))
    .execute()
}

export const updateConversations = (
  tx: Tx,
  rows: (Pick<ConversationRow, 'account_id' | 'id'> & Partial<ConversationRow>)[],
): Promise<void> => updateRows(tx, 'conversations', ['account_id', 'id'], rows)
