import { type Static, Type } from 'typebox'
import { Self } from '../http/hal.ts'
import { Time } from '../http/times.ts'
import { CallParams } from './note-types.ts'

const UserId = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
const RequestId = Type.Union([Type.String({ maxLength: 255 }), Type.Integer()])

/** A call as a telephone exchange reports it. `phone` is the other party's number, which finds the record. */
export const NewCall = Type.Object(
  {
    direction: Type.Enum(['inbound', 'outbound'], {
      description: '`inbound`: the other party calls the account.',
    }),
    ...CallParams.properties,
    responsible_user_id: Type.Optional(UserId),
    created_by: Type.Optional(UserId),
    updated_by: Type.Optional(UserId),
    created_at: Type.Optional(Time),
    updated_at: Type.Optional(Time),
    request_id: Type.Optional(RequestId),
  },
  { title: 'NewCall' },
)
export type NewCall = Static<typeof NewCall>
export const NewCalls = Type.Array(NewCall, { minItems: 1, maxItems: 250 })

const AddedCall = Type.Object(
  {
    id: Type.Integer({ description: 'The id of the note.' }),
    entity_id: Type.Integer({ description: 'The record that got the note.' }),
    entity_type: Type.String({ description: 'In the singular: `contact`, `company`, `lead` or `customer`.' }),
    account_id: Type.Integer(),
    request_id: RequestId,
    _embedded: Type.Object({ entity: Type.Object({ id: Type.Integer(), _links: Self }) }),
  },
  { title: 'AddedCall' },
)

/** A call without a matching record (docs/wire/notes.md#calls). */
const UnmatchedCall = Type.Object(
  {
    title: Type.String(),
    status: Type.Integer({ description: 'As an HTTP status.' }),
    detail: Type.String(),
    request_id: RequestId,
  },
  { title: 'UnmatchedCall' },
)
export type UnmatchedCall = Static<typeof UnmatchedCall>

export const AddedCalls = Type.Object({
  _total_items: Type.Integer({ description: 'The number of added calls.' }),
  errors: Type.Array(UnmatchedCall, { description: 'The calls whose number no record has.' }),
  _embedded: Type.Object({ calls: Type.Array(AddedCall) }),
})
