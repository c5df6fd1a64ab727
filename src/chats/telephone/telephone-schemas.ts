import { type Static, Type } from 'typebox'

const Key = Type.String({
  pattern: '^[a-z0-9-]{1,64}$',
  description: 'Names the customer, as the page chose it.',
})
const MessageId = Type.String({ minLength: 1, maxLength: 64, description: 'Our id of the message.' })

/** A message of a customer. */
export const CustomerMessage = Type.Object(
  {
    customer: Type.Object({
      key: Key,
      name: Type.String({ minLength: 1, maxLength: 255 }),
      phone: Type.Optional(Type.String({ pattern: '^\\+?[0-9]{5,15}$' })),
    }),
    text: Type.Optional(Type.String({ maxLength: 20_000 })),
    file_uuid: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description: 'A file of the drive: a picture or any other.',
      }),
    ),
    location: Type.Optional(
      Type.Object({
        lat: Type.Number({ minimum: -90, maximum: 90 }),
        lon: Type.Number({ minimum: -180, maximum: 180 }),
      }),
    ),
    contact: Type.Optional(
      Type.Object({
        name: Type.String({ minLength: 1, maxLength: 255 }),
        phone: Type.String({ minLength: 1, maxLength: 64 }),
      }),
    ),
  },
  { title: 'CustomerMessage' },
)
export type CustomerMessage = Static<typeof CustomerMessage>

export const Sent = Type.Object(
  { chat_id: Type.String(), message_id: Type.String() },
  { title: 'CustomerSent' },
)

/** The outcome of a message of the account on the telephone. */
export const CustomerStatus = Type.Object({
  message_id: MessageId,
  state: Type.Enum(['delivered', 'read', 'failed']),
  error: Type.Optional(Type.String({ minLength: 1, maxLength: 500 })),
})
export type CustomerStatus = Static<typeof CustomerStatus>

export const CustomerTyping = Type.Object({
  key: Key,
  duration_ms: Type.Optional(Type.Integer({ minimum: 0, maximum: 60_000 })),
})
export type CustomerTyping = Static<typeof CustomerTyping>

/** null takes the reaction back. */
export const CustomerReaction = Type.Object({
  message_id: MessageId,
  emoji: Type.Union([Type.String({ minLength: 1, maxLength: 32 }), Type.Null()]),
})
export type CustomerReaction = Static<typeof CustomerReaction>
