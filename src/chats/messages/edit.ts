import { chatNames } from '../../accounts/accounts.ts'
import type { Context } from '../../context.ts'
import type { Tx } from '../../db/database.ts'
import type { ChatMessageRow, ConversationRow } from '../../db/tables.ts'
import { type Fault, Refusal } from '../../errors.ts'
import { faultsIn } from '../../http/bodies/validation.ts'
import { editChatMessage } from '../../incoming-leads/incoming-leads.ts'
import { changeConversation } from '../conversations/conversation-changes.ts'
import { lockConversation } from '../conversations/conversation-queries.ts'
import type { ChatCaller } from '../scopes/chat-caller.ts'
import { botIdOf } from '../scopes/scopes.ts'
import { readReport, reportedChange } from './delivery-status.ts'
import { shownText } from './message-kinds.ts'
import { findMessage, updateMessages } from './message-queries.ts'
import { messageWithId, messageWithMsgid } from './named-messages.ts'
import { changesOf } from './push-content.ts'
import { type EditedContent, type EditedMessage, editedContents, type PushAnswer } from './push-schemas.ts'

/**
 * Changes a message of the channel (C20): what the provider wrote in it, its delivery status, and with `id` and `msgid`
 * the provider's id. A message that the account wrote keeps its content. The same values change nothing.
 */
export async function editMessage(
  ctx: Context,
  tx: Tx,
  caller: ChatCaller,
  edit: EditedMessage,
): Promise<PushAnswer> {
  const account_id = caller.account.id
  // Our id is enough: the provider's id beside it is the new one.
  const known = edit.id
    ? await messageWithId(tx, caller, edit.id)
    : await messageWithMsgid(tx, caller, edit.msgid as string)
  const conversation = known && (await lockConversation(tx, account_id, known.conversation_id))
  // Read again under the lock.
  const message = known && (await findMessage(tx, account_id, known.id))
  if (!conversation || !message) throw new Refusal('not_found', 'There is no such message in this scope.')
  const content = contentChange(message, edit.message)
  const { delivery_status } = edit.message
  const report = delivery_status && readReport(delivery_status, 'payload.message.delivery_status.')
  const shown = {
    ...content,
    ...(content && { edited_at: ctx.now() }),
    ...(report && reportedChange(message, report)),
  }
  const external_id = edit.msgid ?? message.external_id
  if (external_id !== null && external_id !== message.external_id) await requireFree(tx, caller, external_id)
  const isShown = Object.keys(shown).length > 0
  if (isShown || external_id !== message.external_id)
    await updateMessages(tx, [{ ...shown, external_id, account_id, id: message.id }])
  if (isShown) await changeConversation(ctx, tx, conversation, {})
  if (content && conversation.lead_id !== null) {
    const edited = { id: message.id, text: shownText({ ...message, ...content }) }
    await editChatMessage(ctx, tx, caller.cause, conversation.lead_id, edited)
  }
  return answerOf(tx, conversation, message, external_id ?? '')
}

/** A concurrent use of the same id violates the unique index, and the transaction runs again. */
async function requireFree(tx: Tx, caller: ChatCaller, msgid: string): Promise<void> {
  if (await messageWithMsgid(tx, caller, msgid))
    throw new Refusal('conflict', `Another message of this channel has the msgid ${msgid}.`)
}

/** The changed columns, under the rules of a new message of the same type. Undefined if there are none. */
function contentChange(message: ChatMessageRow, edited: EditedContent) {
  const given = Object.fromEntries(Object.entries(edited).filter(([, value]) => value !== null))
  const schema = editedContents.get(message.type) as object
  const faults = faultsIn(schema, given, '0', 'payload.message')
  if (edited.type && edited.type !== message.type)
    faults.push(kept('type', `This message has the type ${message.type}. An edit cannot change it.`))
  const change = changesOf(message, edited)
  const names = Object.keys(change) as (keyof typeof change)[]
  if (message.origin !== 'channel')
    for (const name of names.filter((name) => name === 'content' || name in given))
      faults.push(
        kept(
          name === 'content' ? '' : name,
          'The account wrote this message, so the provider cannot change its content. Send the same value.',
        ),
      )
  if (faults.length > 0) throw new Refusal('invalid', 'Request validation failed', { faults })
  return names.length > 0 ? change : undefined
}

const kept = (member: string, detail: string): Fault => ({
  request_id: '0',
  code: 'NotSupportedChoice',
  path: ['payload.message', member].filter((part) => part !== '').join('.'),
  detail,
})

/** Names the same people as the push of a message. */
async function answerOf(
  tx: Tx,
  conversation: ConversationRow,
  { id, direction, sender_id, user_id, channel_id }: ChatMessageRow,
  ref_id: string,
): Promise<PushAnswer> {
  const isIncoming = direction === 'in'
  const people = await chatNames(tx, isIncoming || user_id === 0 ? [] : [user_id])
  return {
    new_message: {
      conversation_id: conversation.id,
      sender_id: isIncoming ? sender_id : (people.get(user_id)?.amojo_id ?? botIdOf(channel_id)),
      receiver_id: isIncoming ? null : conversation.sender_id,
      msgid: id,
      ref_id,
    },
  }
}
