import { type Static, type TSchema, Type } from 'typebox'

const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])
const Text = nullable(Type.String())
const Whole = nullable(Type.Integer())

export const ChatAuthor = Type.Object(
  {
    type: Type.Enum(['sender', 'user', 'bot']),
    id: Type.Union([Type.String(), Type.Integer(), Type.Null()]),
    name: Type.String(),
  },
  { title: 'ChatAuthor' },
)
export type ChatAuthor = Static<typeof ChatAuthor>

/** A message of a chat, with how its delivery goes. */
export const ChatMessage = Type.Object(
  {
    id: Type.String({ description: 'A UUID that rises with time.' }),
    chat_id: Type.String(),
    position: Type.Integer({ description: 'In the chat, from 1, without gaps.' }),
    direction: Type.Enum(['in', 'out']),
    origin: Type.Enum(['channel', 'person', 'bot']),
    type: Type.String(),
    text: Type.String(),
    media: Text,
    thumbnail: Text,
    file_name: Text,
    file_size: Whole,
    content: Type.Unsafe<object>({ description: 'An object: what this kind of message has besides.' }),
    author: ChatAuthor,
    state: Type.Enum(['received', 'pending', 'delivered', 'read', 'failed']),
    error_code: nullable(Type.Integer({ description: 'What the provider calls the failure, 901 to 905.' })),
    error: nullable(Type.String({ description: 'Why it was not delivered.' })),
    attempts: Type.Integer({ description: 'Tries to deliver it, since it was last sent again.' }),
    next_attempt_at: Whole,
    reactions: Type.Array(Type.Object({ emoji: Type.String(), author: ChatAuthor })),
    sent_at: Type.Integer(),
    created_at: Type.Integer(),
    edited_at: Whole,
  },
  { title: 'ChatMessage' },
)
export type ChatMessage = Static<typeof ChatMessage>
