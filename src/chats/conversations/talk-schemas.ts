import { type Static, Type } from 'typebox'
import { Self } from '../../http/hal.ts'
import { KeysetList, KeysetPaged } from '../../http/queries/paging.ts'

const orNone = <T extends Parameters<typeof Type.Union>[0][number]>(type: T) =>
  Type.Union([type, Type.Null()])
const Linked = Type.Array(Type.Object({ id: Type.Integer(), _links: Self }))

/** A part of a conversation, from its first message until it is closed (docs/wire/chats.md#talks). */
export const Talk = Type.Object(
  {
    talk_id: Type.Integer(),
    created_at: Type.Integer(),
    updated_at: Type.Integer(),
    rate: Type.Integer({ description: 'Always 0: talks are not rated.' }),
    contact_id: Type.Integer(),
    chat_id: Type.String(),
    entity_id: orNone(Type.Integer({ description: 'The id of the lead. Null: the talk has none.' })),
    entity_type: Type.Union([Type.Enum(['lead']), Type.Null()], {
      description: 'Null: the talk has no lead.',
    }),
    is_in_work: Type.Boolean(),
    is_read: Type.Boolean(),
    origin: Type.String({ description: 'The code of the chat channel.' }),
    missed_at: orNone(Type.Integer({ description: 'Always null.' })),
    account_id: Type.Integer(),
    status: Type.Enum(['in_work', 'closed'], { description: 'As `is_in_work`.' }),
    source_id: orNone(Type.Integer({ description: 'The source that the provider named.' })),
    _links: Self,
    _embedded: Type.Object({ contacts: Linked, leads: Linked, customers: Linked }),
  },
  { title: 'Talk' },
)
export type Talk = Static<typeof Talk>

export const TalkPage = KeysetList('talks', Talk)
export const TalksQuery = Type.Object({ ...KeysetPaged.properties, filter: Type.Optional(Type.Unknown()) })

export const CloseTalk = Type.Object({
  force_close: Type.Optional(
    Type.Boolean({ description: 'Accepted without effect: talks are closed without a survey.' }),
  ),
})
