import type { Db, Tx } from '../../db/database.ts'
import { isOneOf } from '../../db/dialect.ts'
import { insertRows, updateRows } from '../../db/row-sets.ts'
import type { ChatSenderRow } from '../../db/tables.ts'

/** People of the other side, by their ids; by the primary key. */
export async function findSenders(
  db: Db,
  account_id: number,
  ids: readonly string[],
): Promise<Map<string, ChatSenderRow>> {
  const rows = await db
    .selectFrom('chat_senders')
    .selectAll()
    .where('account_id', '=', account_id)
    .where((eb) => isOneOf(db, eb.ref('id'), ids))
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

export const insertSender = (tx: Tx, row: ChatSenderRow): Promise<void> =>
  insertRows(tx, 'chat_senders', [row])

export const updateSender = (
  tx: Tx,
  row: Pick<ChatSenderRow, 'account_id' | 'id'> & Partial<ChatSenderRow>,
): Promise<void> => updateRows(tx, 'chat_senders', ['account_id', 'id'], [row])
