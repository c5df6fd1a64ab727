import { type Static, Type } from 'typebox'
import { Name } from '../../accounts/members/schemas.ts'

const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })
const RequestId = Type.Number({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER })
const Origin = Type.String({ minLength: 1, maxLength: 255 })
const MOST = 250

/** Codes of the field types that the operation accepts (F1). */
const TypeCode = Type.Enum([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 14, 15, 16], { type: 'integer' })

export const AddedField = Type.Object({
  name: Name(255),
  request_id: Type.Optional(RequestId),
  type: TypeCode,
  element_type: Type.Enum([1, 2, 3], { type: 'integer' }),
  disabled: Type.Enum([0, 1], { type: 'integer', default: 1 }),
  origin: Origin,
  enums: Type.Optional(Type.Array(Name(255), { maxItems: 1_000 })),
})
export type AddedField = Static<typeof AddedField>

export const DeletedField = Type.Object({ id: Id, origin: Origin, request_id: Type.Optional(RequestId) })
export type DeletedField = Static<typeof DeletedField>

/** Either array is optional. Types are strict: "1" is not 1. */
export const FieldsSet = Type.Object({
  request: Type.Object({
    fields: Type.Object({
      add: Type.Optional(Type.Array(AddedField, { maxItems: MOST })),
      delete: Type.Optional(Type.Array(DeletedField, { maxItems: MOST })),
    }),
  }),
})
export type FieldsSet = Static<typeof FieldsSet>

const Entries = Type.Array(Type.Object({ id: Type.Integer(), request_id: Type.Number() }))
const Done = Type.Object({ add: Entries, delete: Entries })
export type Done = Static<typeof Done>

/**
 * By record kind, as documented, and all together under `fields`, as clients read it (docs/wire/fields.md#fieldsset).
 */
export const FieldsWereSet = Type.Object({
  response: Type.Object({
    server_time: Type.Integer(),
    leads: Type.Optional(Done),
    contacts: Type.Optional(Done),
    companies: Type.Optional(Done),
    fields: Done,
  }),
})
export type FieldsWereSet = Static<typeof FieldsWereSet>
