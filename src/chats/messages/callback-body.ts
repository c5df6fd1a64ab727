import { decodeTime, uuidToULID } from 'ulid'
import type { ChatMessageRow, ConversationRow } from '../../db/tables.ts'
import type { Destination } from '../scopes/destination-queries.ts'
import type { SentTemplate } from '../templates/sent-templates.ts'

export type SentMessage = Pick<
  ChatMessageRow,
  'id' | 'type' | 'text' | 'media' | 'thumbnail' | 'file_name' | 'file_size'
> &
  Partial<Pick<ChatMessageRow, 'content'>>

/** A message and its destination. */
export interface Callback {
  message: SentMessage
  conversation: Pick<ConversationRow, 'id' | 'external_id' | 'source_external_id'>
  destination: Destination
  author: { id: string; name: string }
}

/**
 * The body of a callback, as the bytes that are signed and sent (C7; docs/wire/chats.md#callbacks). Its form depends on
 * the protocol of the channel; a connection with `hook_api_version` v2 gets the v2 form.
 */
export function callbackBody(callback: Callback): string {
  const { connection, channel } = callback.destination
  const form = connection.hook_api_version === 'v2' ? later : channel.protocol === 'live' ? live : described
  return JSON.stringify(form(callback))
}

/** The time of a message in milliseconds, from its id. */
export const momentOf = ({ id }: Pick<SentMessage, 'id'>): number => decodeTime(uuidToULID(id))

/** The specified form: members that a type does not have are omitted. */
function described({ message, conversation, destination }: Callback): object {
  const { type, text, media, thumbnail, file_name, file_size } = message
  return {
    receiver: destination.receiver.external_id,
    conversation_id: conversation.external_id,
    type,
    text,
    ...(type === 'picture' && { media, thumbnail }),
    ...(type === 'file' && { media, file_name, file_size }),
  }
}

/** Absent members are empty. */
const filled = ({ type, text, media, thumbnail, file_name, file_size }: SentMessage) => ({
  type,
  text,
  media: media ?? '',
  thumbnail: thumbnail ?? '',
  file_name: file_name ?? '',
  file_size: file_size ?? 0,
})

function live({ message, conversation, destination }: Callback): object {
  return {
    receiver: destination.receiver.external_id,
    conversation_id: conversation.external_id,
    msec_timestamp: momentOf(message),
    ...filled(message),
  }
}

function later({ message, conversation, destination, author }: Callback): object {
  const { receiver, account } = destination
  const msec_timestamp = momentOf(message)
  const timestamp = Math.floor(msec_timestamp / 1000)
  const { type, text, ...file } = filled(message)
  const { template } = JSON.parse(message.content ?? '{}') as { template?: SentTemplate }
  return {
    account_id: account.amojo_id,
    time: timestamp,
    message: {
      receiver: {
        id: receiver.id,
        phone: receiver.phone ?? '',
        email: receiver.email ?? '',
        client_id: receiver.external_id,
        name: receiver.name,
      },
      sender: author,
      conversation: { id: conversation.id, client_id: conversation.external_id },
      ...(conversation.source_external_id !== null && {
        source: { external_id: conversation.source_external_id },
      }),
      timestamp,
      msec_timestamp,
      message: {
        id: message.id,
        type,
        text,
        markup: markupOf(template),
        tag: '',
        ...file,
        ...(template && { template: templateView(template) }),
      },
    },
  }
}

/** The buttons of a message from a template, in one row as in the documentation; null if there are none. */
function markupOf(template: SentTemplate | undefined): object | null {
  if (!template || template.buttons.length === 0) return null
  const shown = template.buttons.map(({ text, url }) => ({ text, ...(url !== undefined && { url }) }))
  return { mode: 'inline', buttons: [shown] }
}

function templateView({ id, external_id, content, params }: SentTemplate): object {
  return { id, ...(external_id !== null && { external_id }), content, params }
}
