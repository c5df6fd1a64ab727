import { type Static, type TSchema, Type } from 'typebox'
import { KeysetList, KeysetPaged } from '../../http/queries/paging.ts'
import { fileKinds } from '../messages/send.ts'
import { MOST_LETTERS, UUID } from './chat-schemas.ts'

const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])

/** A message of a talk (docs/wire/chats.md#messages-of-talks). */
export const TalkMessage = Type.Object(
  {
    id: Type.String(),
    type: Type.Enum(['incoming', 'outgoing'], { description: '`incoming` is from the customer.' }),
    message_type: Type.String({ description: '`text`, `picture`, `file` and others.' }),
    origin: Type.String({ description: 'The code of the chat channel.' }),
    text: Type.String(),
    author: Type.Object({
      id: Type.String(),
      type: Type.Enum(['external', 'internal', 'bot'], {
        description: 'The customer, a user of the account, or the reply bot.',
      }),
      name: Type.String(),
      avatar_url: nullable(Type.String()),
    }),
    delivery_status: nullable(
      Type.Enum(['sent', 'delivered', 'error'], { description: 'Null for an incoming message.' }),
    ),
    attachment: nullable(
      Type.Object(
        {
          type: Type.String({ description: 'As `message_type`.' }),
          link: Type.String({ description: 'The URL of the file.' }),
          file_name: nullable(Type.String()),
        },
        { description: 'The file of the message. Null: it has none.' },
      ),
    ),
    created_at: Type.Integer(),
  },
  { title: 'TalkMessage' },
)
export type TalkMessage = Static<typeof TalkMessage>

export const TalkMessagePage = KeysetList('messages', TalkMessage)
export const TalkMessagesQuery = Type.Object({
  ...KeysetPaged.properties,
  filter: Type.Optional(Type.Unknown()),
})

/** A text, or a file of the account with or without a text (docs/wire/chats.md#messages-of-talks). */
export const NewTalkMessage = Type.Object({
  text: Type.Optional(
    Type.String({ maxLength: MOST_LETTERS, description: 'Required without an attachment.' }),
  ),
  attachment: Type.Optional(
    Type.Object({
      drive_uuid: Type.String({ pattern: UUID, description: 'The `uuid` of a file of the account.' }),
      drive_version_uuid: Type.Optional(
        Type.String({ pattern: UUID, description: 'A version of the file. Default: the active one.' }),
      ),
      type: Type.Enum([...fileKinds], { description: 'How the file is sent. A picture must be an image.' }),
    }),
  ),
})
export type NewTalkMessage = Static<typeof NewTalkMessage>
export const SentTalkMessage = Type.Object(
  { id: Type.String({ description: 'The id of the message.' }) },
  { title: 'SentTalkMessage' },
)
