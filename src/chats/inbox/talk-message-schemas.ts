import { type Static, type TSchema, Type } from 'typebox'
import { KeysetList, KeysetPaged } from '../../http/paging.ts'
import { MOST_LETTERS } from './chat-schemas.ts'

const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])

/** A message of a talk (docs/wire/chats.md#messages-of-talks). */
export const TalkMessage = Type.Object(
  {
    id: Type.String(),
    type: Type.Enum(['incoming', 'outgoing']),
    message_type: Type.String({ description: '`text`, `picture`, `file` and others.' }),
    origin: Type.String({ description: 'The code of the chat channel.' }),
    text: Type.String(),
    author: Type.Object({
      id: Type.String(),
      type: Type.Enum(['external', 'internal', 'bot']),
      name: Type.String(),
      avatar_url: nullable(Type.String()),
    }),
    delivery_status: nullable(
      Type.Enum(['sent', 'delivered', 'error'], { description: 'Null for an incoming message.' }),
    ),
    attachment: nullable(
      Type.Object({ type: Type.String(), link: Type.String(), file_name: nullable(Type.String()) }),
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

export const NewTalkMessage = Type.Object({
  text: Type.String({ minLength: 1, maxLength: MOST_LETTERS }),
})
export const SentTalkMessage = Type.Object(
  { id: Type.String({ description: 'The id of the message.' }) },
  { title: 'SentTalkMessage' },
)
