import { activeMembers } from '../../accounts/accounts.ts'
import type { Db, Tx } from '../../db/database.ts'
import { isOneOf } from '../../db/dialect.ts'
import { insertRows, updateRows } from '../../db/row-sets.ts'
import type { ChatSenderRow } from '../../db/tables.ts'

/** Senders by their ids. Index: the primary key. */
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

/** A sender by the provider's id. Index: chat_senders_by_external_id. */
export function findSenderByExternalId(
  db: Db,
  account_id: number,
  channel_id: string,
  external_id: string,
): Promise<ChatSenderRow | undefined> {
  return db
    .selectFrom('chat_senders')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('channel_id', '=', channel_id)
    .where('external_id', '=', external_id)
    .executeTakeFirst()
}

export const insertSender = (tx: Tx, row: ChatSenderRow): Promise<void> =>
  insertRows(tx, 'chat_senders', [row])

export const updateSender = (
  tx: Tx,
  row: Pick<ChatSenderRow, 'account_id' | 'id'> & Partial<ChatSenderRow>,
): Promise<void> => updateRows(tx, 'chat_senders', ['account_id', 'id'], [row])

/** The administrator with the lowest user id. An account always has one. */
export function findFirstAdministrator(db: Db, account_id: number) {
  return activeMembers(db)
    .where('members.account_id', '=', account_id)
    .where('members.is_admin', '=', 1)
    .orderBy('members.user_id')
    .limit(1)
    .executeTakeFirstOrThrow()
}
