import type { Tx } from '../../db/database.ts'
import type { ChatMessageRow } from '../../db/tables.ts'
import type { ChatCaller } from '../scopes/chat-caller.ts'
import { messageWithId, messageWithMsgid } from './named-messages.ts'
import type { NewMessage } from './push-schemas.ts'

/** Characters of a quoted text. */
const LONGEST_QUOTE = 500

/**
 * A message whose quote (`reply_to`) has what the id of the quoted message determines: our id, the type, the beginning of
 * the text and the name of the file. A quote without a known id of the same conversation stays as the provider sent it.
 */
export async function withQuote(
  tx: Tx,
  caller: ChatCaller,
  payload: NewMessage,
  conversation_id: string,
): Promise<NewMessage> {
  const { message } = Object(payload.reply_to) as { message?: unknown }
  const quoted = Object(message) as { id?: unknown; msgid?: unknown }
  const known = await messageNamed(tx, caller, quoted)
  if (known?.conversation_id !== conversation_id) return payload
  const { id, type, text, file_name } = known
  const determined = { id, type, text: beginningOf(text), ...(file_name !== null && { file_name }) }
  return { ...payload, reply_to: { message: { ...quoted, ...determined } } }
}

async function messageNamed(
  tx: Tx,
  caller: ChatCaller,
  { id, msgid }: { id?: unknown; msgid?: unknown },
): Promise<ChatMessageRow | undefined> {
  const own = typeof id === 'string' ? await messageWithId(tx, caller, id) : undefined
  return own ?? (typeof msgid === 'string' ? await messageWithMsgid(tx, caller, msgid) : undefined)
}

/** Whole characters, so that no pair is split. */
const beginningOf = (text: string): string =>
  [...text.slice(0, 2 * LONGEST_QUOTE)].slice(0, LONGEST_QUOTE).join('')
