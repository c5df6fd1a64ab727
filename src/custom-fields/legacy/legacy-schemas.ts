import { type Static, Type } from 'typebox'
import { Name } from '../../accounts/members/schemas.ts'

const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })
const RequestId = Type.Number({
  minimum: Number.MIN_SAFE_INTEGER,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'Chosen by the caller, otherwise by the server. The response repeats it with the same item.',
})
const Origin = Type.String({
  minLength: 1,
  maxLength: 255,
  description: 'Names the calling service. Deleting the field needs the same text.',
})
const MOST = 250

/** Codes of the field types that the operation accepts (F1). */
const TypeCode = Type.Enum([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 14, 15, 16], {
  type: 'integer',
  description:
    '1 text, 2 numeric, 3 checkbox, 4 select, 5 multiselect, 6 date, 7 url, 8 multitext, 9 textarea, 10 radiobutton, ' +
    '11 streetaddress, 13 smart_address, 14 birthday, 15 legal_entity, 16 items.',
})

export const AddedField = Type.Object({
  name: Name(255),
  request_id: Type.Optional(RequestId),
  type: TypeCode,
  element_type: Type.Enum([1, 2, 3], { type: 'integer', description: '1 contacts, 2 leads, 3 companies.' }),
  disabled: Type.Enum([0, 1], {
    type: 'integer',
    default: 1,
    description: '1: people cannot change the values in the application.',
  }),
  origin: Origin,
  enums: Type.Optional(
    Type.Array(Name(255), { maxItems: 1_000, description: 'The choices of the types 4, 5 and 10.' }),
  ),
})
export type AddedField = Static<typeof AddedField>

export const DeletedField = Type.Object({
  id: Type.Integer({ ...Id, description: 'The id of the custom field.' }),
  origin: Origin,
  request_id: Type.Optional(RequestId),
})
export type DeletedField = Static<typeof DeletedField>

/** Either array is optional. Types are strict: "1" is not 1, but see readDisabledFlags. */
export const FieldsSet = Type.Object({
  request: Type.Object({
    fields: Type.Object({
      add: Type.Optional(Type.Array(AddedField, { maxItems: MOST })),
      delete: Type.Optional(Type.Array(DeletedField, { maxItems: MOST })),
    }),
  }),
})
export type FieldsSet = Static<typeof FieldsSet>

const Entries = Type.Array(
  Type.Object({
    id: Type.Integer({ description: 'The id of the custom field.' }),
    request_id: Type.Number({ description: 'That of the item, or one that the server chose.' }),
  }),
)
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
