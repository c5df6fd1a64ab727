import { type TSchema, Type } from 'typebox'
import { fieldTypeNames } from '../fields/field-types.ts'
import { valueKindOf } from '../fields/field-values.ts'
import {
  FileValue,
  InvoiceItem,
  LegalEntity,
  LinkedEntity,
  Payer,
  Supplier,
} from '../fields/structured-schemas.ts'

const variants = [...Map.groupBy(fieldTypeNames, (type) => valueKindOf(type).published)].map(
  ([value, types]) => Type.Object({ field_type: Type.Enum(types), values: Type.Array(value) }),
)

/** The values of one field of a record in a response: a union that narrows by `field_type`. */
export const publishedValues: TSchema = Type.Unsafe({
  title: 'FieldValues',
  allOf: [
    Type.Object({
      field_id: Type.Integer(),
      field_name: Type.String(),
      field_code: Type.Union([Type.String(), Type.Null()], {
        description: 'The code of a predefined field, such as `PHONE` or `EMAIL`.',
      }),
    }),
    { oneOf: variants },
  ],
})

const orNull = (schema: TSchema, description: string) =>
  Type.Optional(Type.Union([schema, Type.Null()], { description }))

/** One value in a request body. The field decides which members it reads. */
export const publishedWrittenValue: TSchema = Type.Object(
  {
    value: Type.Optional(
      Type.Union(
        [
          Type.String(),
          Type.Number(),
          Type.Boolean(),
          LegalEntity,
          InvoiceItem,
          LinkedEntity,
          FileValue,
          Payer,
          Supplier,
        ],
        {
          description:
            'Text: a string. Number: a number or its digits. Checkbox: a boolean. Date: Unix seconds, `2026-12-01` or an RFC 3339 time. Choice: its text. Else the object of the type.',
        },
      ),
    ),
    enum_id: orNull(Type.Integer(), 'The id of a choice or label. It takes precedence over `value`.'),
    enum_code: orNull(Type.String(), 'The code of a choice or label, as `WORK`.'),
    catalog_id: Type.Optional(Type.Integer({ description: 'For a chained list: the id of the list.' })),
    catalog_element_id: Type.Optional(
      Type.Integer({ description: 'For a chained list: the id of the element.' }),
    ),
  },
  { title: 'WrittenFieldValue' },
)
