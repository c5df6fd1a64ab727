import { sql } from 'kysely'
import { readInBackground } from '../../db/background-reads.ts'
import type { Db, Tx } from '../../db/database.ts'
import { isOneOf } from '../../db/dialect.ts'
import type { OldWindow } from '../../db/old-rows.ts'
import { deleteRows } from '../../db/row-sets.ts'
import type { ChatMessageRow } from '../../db/tables.ts'

type OldMessage = Pick<ChatMessageRow, 'id' | 'created_at' | 'state'> & { is_last: number }

/** The oldest messages: a range of the primary key, because ids begin with their time. */
export function oldMessageRows(
  db: Db,
  { account_id, before, after, limit }: OldWindow,
  firstId: string,
): Promise<OldMessage[]> {
  const last = db
    .selectFrom('conversations')
    .select(sql.lit(1).as('one'))
    .where('conversations.account_id', '=', account_id)
    .where('conversations.id', '=', sql.ref<string>('chat_messages.conversation_id'))
    .where('conversations.last_message_id', '=', sql.ref<string>('chat_messages.id'))
  return readInBackground(
    db,
    account_id,
    db
      .selectFrom('chat_messages')
      .select(['id', 'created_at', 'state'])
      .select((eb) => eb.fn.coalesce(last, sql.lit(0)).as('is_last'))
      .where('account_id', '=', account_id)
      .where('id', '<', firstId)
      .where('id', '>', String(after?.[0] ?? ''))
      .where('created_at', '<', before)
      .orderBy('id')
      .limit(limit),
  )
}

/** Deletes messages with their reactions; by primary keys. */
export async function deleteMessages(tx: Tx, account_id: number, ids: readonly string[]): Promise<void> {
  await tx
    .deleteFrom('chat_reactions')
    .where('account_id', '=', account_id)
    .where((eb) => isOneOf(tx, eb.ref('message_id'), ids))
    .execute()
  await deleteRows(
    tx,
    'chat_messages',
    ids.map((id) => ({ account_id, id })),
  )
}
