import { type Static, type TSchema, Type } from 'typebox'
import { ActingIntegration } from '../../accounts/members/schemas.ts'

const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])
const Text = nullable(Type.String())
const Whole = nullable(Type.Integer())

export const ChatAuthor = Type.Object(
  {
    type: Type.Enum(['sender', 'user', 'bot'], {
      description: 'The customer, a user of the account, or the reply bot.',
    }),
    id: Type.Union([Type.String(), Type.Integer(), Type.Null()], {
      description: 'A UUID of the customer, or the number of the user. Null: the bot.',
    }),
    name: Type.String(),
  },
  { title: 'ChatAuthor' },
)
export type ChatAuthor = Static<typeof ChatAuthor>

/** A message of a chat with its delivery state. */
export const ChatMessage = Type.Object(
  {
    id: Type.String({ description: 'A UUID. Ids are in the order of time.' }),
    chat_id: Type.String(),
    position: Type.Integer({ description: 'The number of the message in the chat, from 1 without gaps.' }),
    direction: Type.Enum(['in', 'out'], { description: '`in` is from the customer.' }),
    origin: Type.Enum(['channel', 'person', 'bot'], {
      description: 'Whether the provider, a person of the account or the reply bot added it.',
    }),
    type: Type.String({ description: '`text`, `picture`, `file` and others.' }),
    text: Type.String(),
    media: Text,
    thumbnail: Text,
    file_name: Text,
    file_size: Whole,
    content: Type.Unsafe<object>({
      description: 'An object with the other properties of this type of message.',
    }),
    author: ChatAuthor,
    by_integration: Type.Optional(
      Type.Union([ActingIntegration, Type.Null()], {
        description: 'With `with=integration`: the integration that wrote or pushed it; null for none.',
      }),
    ),
    state: Type.Enum(['received', 'pending', 'delivered', 'read', 'failed'], {
      description: '`received` is an incoming message, the others are states of a delivery.',
    }),
    error_code: nullable(Type.Integer({ description: "The provider's code of the failure, 901 to 905." })),
    error: nullable(Type.String({ description: 'Why it was not delivered.' })),
    attempts: Type.Integer({ description: 'Delivery attempts since it was last sent.' }),
    next_attempt_at: nullable(
      Type.Integer({ description: 'Unix seconds of the next delivery attempt. Null: none is planned.' }),
    ),
    reactions: Type.Array(Type.Object({ emoji: Type.String(), author: ChatAuthor })),
    sent_at: Type.Integer({ description: 'Unix seconds when it was written.' }),
    created_at: Type.Integer({ description: 'Unix seconds when the server received it.' }),
    edited_at: nullable(Type.Integer({ description: 'Unix seconds of the last edit. Null: not edited.' })),
  },
  { title: 'ChatMessage' },
)
export type ChatMessage = Static<typeof ChatMessage>
