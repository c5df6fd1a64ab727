import type { Db, Tx } from '../../db/database.ts'
import { isOneOf } from '../../db/dialect.ts'
import { deleteRows, replaceRows } from '../../db/row-sets.ts'
import type { ChatMessageRow, ChatReactionRow } from '../../db/tables.ts'

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

/** The reactions to some messages, the first one first. */
export function findReactions(
  db: Db,
  account_id: number,
  message_ids: readonly string[],
): Promise<ChatReactionRow[]> {
  return db
    .selectFrom('chat_reactions')
    .selectAll()
    .where('account_id', '=', account_id)
    .where((eb) => isOneOf(db, eb.ref('message_id'), message_ids))
    .orderBy('created_at')
    .orderBy('author')
    .execute()
}
