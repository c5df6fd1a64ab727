import type { Db, Tx } from '../../db/database.ts'
import { prepared, referenceData } from '../../db/prepared.ts'
import { deleteRows, insertRows, replaceRows } from '../../db/row-sets.ts'
import type { ChatIntentRow } from '../../db/tables.ts'

const intentsOfAccount = referenceData((db, at: { account_id: number }) =>
  db.selectFrom('chat_intents').selectAll().where('account_id', '=', at.account_id).orderBy('id'),
)

/** All intents, oldest first. Every incoming message reads them. */
export const listIntentRows = (db: Db, account_id: number): Promise<ChatIntentRow[]> =>
  intentsOfAccount(db, { account_id })

export async function hasIntents(db: Db, account_id: number): Promise<boolean> {
  const intents = db.selectFrom('chat_intents').select('id').where('account_id', '=', account_id)
  return (await intents.limit(1).executeTakeFirst()) !== undefined
}

export const insertIntent = (tx: Tx, row: ChatIntentRow): Promise<void> =>
  insertRows(tx, 'chat_intents', [row])
export const replaceIntent = (tx: Tx, row: ChatIntentRow): Promise<void> =>
  replaceRows(tx, 'chat_intents', ['account_id', 'id'], [row])
export const deleteIntent = (tx: Tx, { account_id, id }: ChatIntentRow): Promise<void> =>
  deleteRows(tx, 'chat_intents', [{ account_id, id }])

const lastMessagesOut = prepared(
  (db, of: { account_id: number; conversation_id: string; position: number; limit: number }) =>
    db
      .selectFrom('chat_messages')
      .select(['user_id', 'created_at'])
      .where('account_id', '=', of.account_id)
      .where('conversation_id', '=', of.conversation_id)
      .where('position', '>', of.position)
      .where('direction', '=', 'out')
      .orderBy('position', 'desc')
      .limit(of.limit),
)

/**
 * The authors and times of the last outgoing messages after a position, latest first. Index:
 * chat_messages_by_position.
 */
export const listLastAnswers = (
  db: Db,
  of: { account_id: number; conversation_id: string; position: number; limit: number },
): Promise<{ user_id: number; created_at: number }[]> => lastMessagesOut(db, of)
