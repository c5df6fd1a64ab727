import { type Static, type TSchema, Type } from 'typebox'

const Key = Type.String({ minLength: 1, maxLength: 255, description: "The provider's id." })
const OwnKey = Type.String({ minLength: 1, maxLength: 64, description: 'Our id.' })
const Address = Type.String({ maxLength: 2_048, format: 'web-address' })

export const InScope = Type.Object({ scope_id: Type.String() })
/** The router also matches an empty part. */
const Part = Type.String({ minLength: 1 })
export const InChat = Type.Object({ scope_id: Type.String(), conversation_id: Part })
export const OfMessage = Type.Object({
  scope_id: Type.String(),
  msgid: Type.String({ minLength: 1, description: "Our id of the message, or the provider's." }),
})

/** Clients of the live service omit a member or send null. */
const maybe = <T extends TSchema>(type: T) => Type.Optional(Type.Union([type, Type.Null()]))

export const NewChat = Type.Object({
  conversation_id: Key,
  source: maybe(
    Type.Object(
      { external_id: maybe(Type.String({ maxLength: 40 })) },
      { description: 'The source of the integration of the channel.' },
    ),
  ),
  /** A person by the provider's id and name, or a known one by `ref_id` alone. */
  user: Type.Object({
    id: maybe(Key),
    ref_id: maybe(Key),
    name: maybe(Type.String({ minLength: 1, maxLength: 255 })),
    avatar: maybe(Address),
    profile: maybe(
      Type.Object(
        {
          // A number in the specification, a text in the live service.
          phone: maybe(
            Type.Union([
              Type.Integer({ minimum: 1, maximum: 999_999_999_999_999 }),
              Type.String({ maxLength: 64 }),
            ]),
          ),
          email: maybe(Type.String({ maxLength: 254 })),
        },
        { description: 'What else is known about the person.' },
      ),
    ),
    profile_link: maybe(Address),
  }),
})
export type NewChat = Static<typeof NewChat>

/** A person in a conversation. Users of the account have no id of the provider. Empty members may be left out. */
const Participant = Type.Object({
  id: Type.Optional(Type.String({ description: 'Our id.' })),
  client_id: Type.Optional(Type.String({ description: "The provider's id." })),
  name: Type.Optional(Type.String()),
  avatar: Type.Optional(Type.String()),
  phone: Type.Optional(Type.String()),
  email: Type.Optional(Type.String()),
})
export type Participant = Static<typeof Participant>

export const ProviderChat = Type.Object({ id: Type.String(), user: Participant })
export type ProviderChat = Static<typeof ProviderChat>

export const HistoryPage = Type.Object({
  offset: Type.Integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    default: 0,
    description: 'The number of messages to leave out at the beginning.',
  }),
  limit: Type.Integer({ minimum: 1, maximum: 50, default: 50 }),
})
export type HistoryPage = Static<typeof HistoryPage>

const PastMessage = Type.Object({
  timestamp: Type.Integer(),
  msec_timestamp: Type.Integer(),
  sender: Participant,
  receiver: Type.Optional(Participant),
  message: Type.Object({
    id: Type.String({ description: 'Our id.' }),
    client_id: Type.Optional(Type.String({ description: "The provider's id." })),
    type: Type.String(),
    text: Type.String(),
    media: Type.String(),
    thumbnail: Type.String(),
    file_name: Type.String(),
    file_size: Type.Integer(),
    location: Type.Optional(Type.Unknown()),
    contact: Type.Optional(Type.Unknown()),
    media_duration: Type.Optional(
      Type.Integer({ description: 'Of a voice or audio message, as the provider sent it.' }),
    ),
  }),
})
export type PastMessage = Static<typeof PastMessage>
export const History = Type.Object({ messages: Type.Array(PastMessage) })

/** Whether a message arrived, under one of two names (docs/wire/chats.md#delivery-status). */
const StatusCode = Type.Unsafe<1 | 2 | -1>({
  type: 'integer',
  enum: [1, 2, -1],
  description: '1 delivered, 2 read, -1 not delivered. Send one of `status_code` and `delivery_status`.',
})
export const DeliveryReport = Type.Object({
  msgid: maybe(Key),
  status_code: maybe(StatusCode),
  delivery_status: maybe(StatusCode),
  error_code: maybe(
    Type.Integer({ minimum: 0, maximum: 999, description: '901 to 905; read only with -1.' }),
  ),
  error: maybe(Type.String({ maxLength: 2_000, description: 'The reason for 905.' })),
})
export type DeliveryReport = Static<typeof DeliveryReport>

export const Typing = Type.Object({
  conversation_id: Key,
  sender: Type.Object({ id: Key }),
  duration_ms: maybe(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'How long the inbox shows it, in milliseconds. Default: 5000.',
    }),
  ),
})
export type Typing = Static<typeof Typing>

export const ReactionChange = Type.Object({
  conversation_id: maybe(Key),
  conversation_ref_id: maybe(OwnKey),
  id: maybe(OwnKey),
  msgid: maybe(Key),
  user: Type.Object({ id: maybe(Key), ref_id: maybe(OwnKey) }),
  type: Type.Enum(['react', 'unreact']),
  emoji: maybe(
    Type.String({ maxLength: 32, description: 'May be missing or empty if `type` is `unreact`.' }),
  ),
})
export type ReactionChange = Static<typeof ReactionChange>

/** A response without a body. */
export const Nothing: TSchema = Type.Null()
export const NoMessages: TSchema = Type.Null({ description: 'The conversation has no such messages.' })
