import { type Static, type TSchema, Type } from 'typebox'
import { Self } from '../../http/hal.ts'
import { KeysetList, KeysetPaged } from '../../http/queries/paging.ts'
import { ChatMessage } from '../messages/message-schemas.ts'

const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])
const Text = nullable(Type.String())
const Whole = nullable(Type.Integer())
export const UUID = '^[0-9A-Fa-f]{8}-([0-9A-Fa-f]{4}-){3}[0-9A-Fa-f]{12}$'
const Uuid = Type.String({ pattern: UUID })
const RequestId = Type.Union([Type.String({ maxLength: 255 }), Type.Integer()])

/** Characters of a message. */
export const MOST_LETTERS = 20_000

const HIDDEN = 'Null: there is none that the person sees.'

const Named = { id: Type.Integer(), name: Type.String() }

export const Chat = Type.Object(
  {
    id: Type.String(),
    account_id: Type.Integer(),
    talk_id: Type.Integer(),
    channel: Type.Object({
      id: Type.String(),
      name: Type.String(),
      state: Type.Enum(['active', 'stopped', 'deleted', 'disconnected'], {
        description: 'Messages can only be sent if it is `active`.',
      }),
      has_actions: Type.Boolean({
        description:
          'Whether the provider gets typing and reactions: it connected with `hook_api_version` v2.',
      }),
    }),
    conversation_id: Type.String({ description: "The provider's id of the conversation." }),
    sender: Type.Object({
      id: Type.String({ description: 'Our id of the person.' }),
      external_id: Type.String({ description: "The provider's id of the person." }),
      name: Type.String(),
      avatar: Text,
      profile_link: Text,
      phone: Text,
      email: Text,
    }),
    can_write: Type.Boolean({ description: 'Whether the caller can write in the chat.' }),
    contact_id: Type.Integer(),
    lead_id: Whole,
    is_in_work: Type.Boolean(),
    is_read: Type.Boolean(),
    unread_count: Type.Integer({ description: 'The number of unread messages.' }),
    is_bot_stopped: Type.Boolean({ description: 'Whether the reply bot is silent until the next talk.' }),
    typing_until: nullable(Type.Integer({ description: 'Unix seconds. Until then, the person is typing.' })),
    last_message: Type.Union([ChatMessage, Type.Null()], {
      description: 'The latest message. Null: there is none.',
    }),
    last_message_at: Type.Integer({ description: 'Unix seconds.' }),
    created_at: Type.Integer(),
    version: Type.Integer({ description: 'Increases with every change of the chat and its messages.' }),
    _links: Self,
    _embedded: Type.Object({
      contact: Type.Union([Type.Object(Named), Type.Null()], { description: HIDDEN }),
      lead: Type.Union(
        [
          Type.Object({
            ...Named,
            status_id: Type.Integer(),
            pipeline_id: Type.Integer(),
            price: Type.Integer({ description: 'Whole units of the currency of the account.' }),
            price_with_minor_units: Type.Number({ description: 'The price with its fraction.' }),
          }),
          Type.Null(),
        ],
        { description: HIDDEN },
      ),
    }),
  },
  { title: 'Chat' },
)
export type Chat = Static<typeof Chat>

export const ChatPage = KeysetList('chats', Chat)
export const ChatsQuery = Type.Object({
  ...KeysetPaged.properties,
  filter: Type.Optional(Type.Unknown()),
  query: Type.Optional(Type.Unknown()),
})

const Href = Type.Object({ href: Type.String() })
export const MessagesQuery = Type.Object({
  with: Type.Optional(Type.Unknown()),
  limit: Type.Integer({ minimum: 1, maximum: 250, default: 50 }),
  before: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'The page begins before this position.',
    }),
  ),
})
export const MessagePage = Type.Object({
  _links: Type.Object({ self: Href, next: Type.Optional(Href) }),
  _embedded: Type.Object({ messages: Type.Array(ChatMessage) }),
})

export const ByChat = Type.Object({ id: Uuid })
export const ByMessage = Type.Object({ id: Uuid, message_id: Uuid })

export const NewMessage = Type.Object(
  {
    text: Type.Optional(Type.String({ maxLength: MOST_LETTERS, description: 'Required without a file.' })),
    file_uuid: Type.Optional(Uuid),
    template: Type.Optional(
      Type.Object(
        {
          id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
          params: Type.Optional(
            Type.Array(
              Type.Object({ key: Type.String({ maxLength: 255 }), value: Type.String({ maxLength: 4_096 }) }),
              { maxItems: 100, description: 'The markers of the template, and their values in the text.' },
            ),
          ),
        },
        { description: 'The template that the text was made from. Callbacks of v2 contain it.' },
      ),
    ),
    request_id: Type.Optional(RequestId),
  },
  { title: 'NewChatMessage' },
)
export type NewMessage = Static<typeof NewMessage>

const Attempt = Type.Object(
  {
    attempt: Type.Integer({ description: 'The number in `webhook-attempt`.' }),
    at: Type.Integer({ description: 'Unix seconds.' }),
    duration_ms: Type.Integer(),
    status: nullable(Type.Integer({ description: 'The HTTP status. Null: no response.' })),
    error: nullable(Type.String({ description: 'Why there was no response.' })),
    answer: nullable(Type.String({ description: 'The beginning of the response body.' })),
    request_id: Type.String({ description: 'The request that queued the message.' }),
  },
  { title: 'DeliveryAttempt' },
)
export const Attempts = Type.Object({ _embedded: Type.Object({ attempts: Type.Array(Attempt) }) })
