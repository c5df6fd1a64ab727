import type { Db, Tx } from '../../db/database.ts'
import { deleteRows, replaceRows } from '../../db/row-sets.ts'
import type { ChatMessageRow, ChatReactionRow, ChatSenderRow } from '../../db/tables.ts'

/** Somebody of the other side by the provider's id for him; by chat_senders_by_external_id. */
export function senderByExternalId(
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

export function reactionOf(
  db: Db,
  { account_id, id }: ChatMessageRow,
  author: string,
): Promise<ChatReactionRow | undefined> {
  return db
    .selectFrom('chat_reactions')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('message_id', '=', id)
    .where('author', '=', author)
    .executeTakeFirst()
}

export const putReaction = (tx: Tx, row: ChatReactionRow): Promise<void> =>
  replaceRows(tx, 'chat_reactions', ['account_id', 'message_id', 'author'], [row])
export const deleteReaction = (tx: Tx, { account_id, message_id, author }: ChatReactionRow): Promise<void> =>
  deleteRows(tx, 'chat_reactions', [{ account_id, message_id, author }])
