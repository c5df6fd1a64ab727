import type { Tx } from '../../db/database.ts'
import { invalid, noSuch } from '../../errors.ts'
import { findConversations } from '../conversations/conversation-queries.ts'
import { findSenderByExternalId, findSenders } from '../conversations/participant-queries.ts'
import type { PushedPerson } from '../conversations/senders.ts'
import { isUuid } from '../scopes/channel-queries.ts'
import type { ChatCaller } from '../scopes/chat-caller.ts'
import type { NamedPerson, NewMessage } from './push-schemas.ts'

/**
 * The provider's id of the conversation of a message. Clients of the live protocol may name it by ours, beside an id that
 * nobody knows or alone (C21). Throws Refusal('invalid') if ours is alone and the channel has no such conversation.
 */
export async function conversationOf(
  tx: Tx,
  { account, channel }: ChatCaller,
  { conversation_id, conversation_ref_id }: NewMessage,
): Promise<string> {
  const id = channel.protocol === 'live' ? conversation_ref_id : null
  const [known] = id && isUuid(id) ? await findConversations(tx, account.id, [id]) : []
  if (known?.channel_id === channel.id) return known.external_id
  if (conversation_id) return conversation_id
  throw invalid('payload.conversation_ref_id', 'NotSupportedChoice', noSuch('chat'))
}

/**
 * The same for the customer, who is the sender or the receiver of a message. A `ref_id`, or an id of the provider that the
 * channel knows, needs no name beside it. Throws Refusal('invalid') for a person without a name whom nobody has named.
 */
export async function customerOf(
  tx: Tx,
  caller: ChatCaller,
  person: NamedPerson,
  member: 'sender' | 'receiver',
): Promise<PushedPerson> {
  const { account, channel } = caller
  const { id, ref_id, name } = person
  const known =
    ref_id && isUuid(ref_id) ? (await findSenders(tx, account.id, [ref_id])).get(ref_id) : undefined
  if (known?.channel_id === channel.id)
    return { ...person, id: known.external_id, name: name || known.name, ref_id: null }
  if (id) return { ...person, id, name: name ?? (ref_id ? '' : await nameOf(tx, caller, id, member)) }
  throw invalid(`payload.${member}.ref_id`, 'NotSupportedChoice', `${member}: user not found`)
}

async function nameOf(
  tx: Tx,
  { account, channel }: ChatCaller,
  id: string,
  member: 'sender' | 'receiver',
): Promise<string> {
  const known = await findSenderByExternalId(tx, account.id, channel.id, id)
  if (known) return known.name
  throw invalid(`payload.${member}.name`, 'FieldMissing', 'This field is missing.')
}
