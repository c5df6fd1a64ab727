import type { Db, Tx } from '../../db/database.ts'
import { insertRows, replaceRows } from '../../db/row-sets.ts'
import type { ChatBotRow } from '../../db/tables.ts'

/** The bots of an account: exactly one. By the primary key. */
export function listBotRows(db: Db, account_id: number): Promise<ChatBotRow[]> {
  return db.selectFrom('chat_bots').selectAll().where('account_id', '=', account_id).orderBy('id').execute()
}

export const insertBot = (tx: Tx, row: ChatBotRow): Promise<void> => insertRows(tx, 'chat_bots', [row])
export const replaceBot = (tx: Tx, row: ChatBotRow): Promise<void> =>
  replaceRows(tx, 'chat_bots', ['account_id', 'id'], [row])
