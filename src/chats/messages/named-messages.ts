import type { Db } from '../../db/database.ts'
import type { ChatMessageRow } from '../../db/tables.ts'
import { Refusal } from '../../errors.ts'
import { isUuid } from '../scopes/channel-queries.ts'
import type { ChatCaller } from '../scopes/chat-caller.ts'
import { findByExternalId, findMessage } from './message-queries.ts'

/** The message of the caller's channel with this id of ours; undefined if there is none. */
export async function messageWithId(
  db: Db,
  { channel, account }: ChatCaller,
  id: string,
): Promise<ChatMessageRow | undefined> {
  const message = isUuid(id) ? await findMessage(db, account.id, id) : undefined
  return message?.channel_id === channel.id ? message : undefined
}

/** The message of the caller's channel with this id of the provider; undefined if there is none. */
export const messageWithMsgid = (
  db: Db,
  { channel, account }: ChatCaller,
  msgid: string,
): Promise<ChatMessageRow | undefined> =>
  findByExternalId(db, { account_id: account.id, channel_id: channel.id }, msgid)

export const noMessage = () => new Refusal('not_found', 'message not found')
