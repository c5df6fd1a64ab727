import type { Expression, SqlBool } from 'kysely'
import type { Actor } from '../../accounts/accounts.ts'
import type { Db } from '../../db/database.ts'
import { holds } from '../../db/dialect.ts'
import { chatReader } from '../conversations/chat-rights.ts'
import { messagesWithFile } from './message-queries.ts'

/** Whether a row of `files` was sent in a chat that the actor may see. */
export async function fileMessagesSeen(db: Db, actor: Actor): Promise<Expression<SqlBool>[]> {
  const { seen } = await chatReader(db, actor)
  const messages = messagesWithFile(db, actor.account_id, 'files.uuid')
  return [holds((seen ? messages.where(seen) : messages).limit(1))]
}
