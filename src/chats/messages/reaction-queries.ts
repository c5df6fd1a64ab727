import type { Db, Tx } from '../../db/database.ts'
import { isOneOf } from '../../db/dialect.ts'
import { deleteRows, replaceRows } from '../../db/row-sets.ts'
import type { ChatMessageRow, ChatReactionRow } from '../../db/tables.ts'
import { Refusal } from '../../errors.ts'

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

/** People who can react to one message: the history shows all of them with it. */
const MOST_REACTIONS = 100

/**
 * Sets the reaction of an author, instead of the one before. The caller has locked the conversation. Throws
 * Refusal('conflict') if too many others have reacted.
 */
export async function putReaction(
  tx: Tx,
  row: ChatReactionRow,
  before: ChatReactionRow | undefined,
): Promise<void> {
  if (!before && (await countReactions(tx, row)) >= MOST_REACTIONS) throw tooManyReactions()
  await replaceRows(tx, 'chat_reactions', ['account_id', 'message_id', 'author'], [row])
}

async function countReactions(tx: Tx, { account_id, message_id }: ChatReactionRow): Promise<number> {
  const { reactions } = await tx
    .selectFrom('chat_reactions')
    .select((eb) => eb.fn.countAll<number>().as('reactions'))
    .where('account_id', '=', account_id)
    .where('message_id', '=', message_id)
    .executeTakeFirstOrThrow()
  return Number(reactions)
}

const tooManyReactions = () =>
  new Refusal('conflict', `A message has at most ${MOST_REACTIONS} reactions.`, { code: 'reaction_limit' })

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
