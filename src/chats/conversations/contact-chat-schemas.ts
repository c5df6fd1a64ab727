import { type Static, Type } from 'typebox'

const RequestId = Type.Union([Type.String({ maxLength: 255 }), Type.Integer()])
const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })

/** One id, or several in any spelling of a list. */
export const ContactChatsQuery = Type.Object({
  contact_id: Type.Optional(Type.Unknown()),
  chat_id: Type.Optional(Type.Unknown()),
})

/** The new contact of each chat (docs/wire/chats.md#chats-of-contacts). */
export const NewContactChats = Type.Array(
  Type.Object({
    contact_id: Id,
    chat_id: Type.String({ minLength: 1, maxLength: 64 }),
    request_id: Type.Optional(RequestId),
  }),
  { minItems: 1, maxItems: 50 },
)
export type NewContactChats = Static<typeof NewContactChats>

export const ContactChats = Type.Object(
  {
    _total_items: Type.Integer(),
    _embedded: Type.Object({
      chats: Type.Array(
        Type.Object({
          chat_id: Type.String(),
          contact_id: Type.Integer(),
          id: Type.Integer({ description: 'The id of the link. A moved chat gets another one.' }),
          request_id: RequestId,
        }),
      ),
    }),
  },
  { title: 'ContactChats' },
)
export type ContactChats = Static<typeof ContactChats>
