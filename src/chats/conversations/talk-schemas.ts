import { type Static, Type } from 'typebox'
import { Self } from '../../http/hal.ts'

const orNone = <T extends Parameters<typeof Type.Union>[0][number]>(type: T) =>
  Type.Union([type, Type.Null()])
const Linked = Type.Array(Type.Object({ id: Type.Integer(), _links: Self }))

/** A piece of a conversation, from the first message to its closing (wire-facts 4.10). */
export const Talk = Type.Object(
  {
    talk_id: Type.Integer(),
    created_at: Type.Integer(),
    updated_at: Type.Integer(),
    /** Always 0: talks are not rated. */
    rate: Type.Integer(),
    contact_id: Type.Integer(),
    chat_id: Type.String(),
    entity_id: orNone(Type.Integer()),
    entity_type: orNone(Type.Enum(['lead'])),
    is_in_work: Type.Boolean(),
    is_read: Type.Boolean(),
    /** The channel. */
    origin: Type.String(),
    missed_at: orNone(Type.Integer()),
    account_id: Type.Integer(),
    _links: Self,
    _embedded: Type.Object({ contacts: Linked, leads: Linked, customers: Linked }),
  },
  { title: 'Talk' },
)
export type Talk = Static<typeof Talk>

/** Whether to close without asking for a rating first. Nobody is asked here, so both values close the talk. */
export const CloseTalk = Type.Object({ force_close: Type.Optional(Type.Boolean()) })
