import { type TSchema, Type } from 'typebox'
import type { FieldType } from './field-types.ts'
import {
  ChainedListValue,
  FileValue,
  InvoiceItem,
  LegalEntity,
  LinkedEntity,
  Payer,
  Supplier,
} from './structured-schemas.ts'

const Text = Type.Object({ value: Type.String() })
const Decimal = Type.Object({
  value: Type.String({ description: 'A decimal number of at most 15 digits, as `12.5`.' }),
})
const Flag = Type.Object({ value: Type.Boolean() })
const Moment = Type.Object({
  value: Type.Integer({ description: 'Unix seconds. A date is its midnight in UTC.' }),
})
const EnumCode = Type.Union([Type.String(), Type.Null()])
const Choice = Type.Object({
  value: Type.String(),
  enum_id: Type.Integer({ description: 'The id of the choice, from `enums` or `nested` of the field.' }),
  enum_code: EnumCode,
})
const Labelled = Type.Object({
  value: Type.String(),
  enum_id: Type.Union([Type.Integer(), Type.Null()], {
    description: 'The id of the label: work, home and the like.',
  }),
  enum_code: EnumCode,
})
const structured = (value: TSchema) => Type.Object({ value })

const ReadItem = Type.Object(
  {
    ...InvoiceItem.properties,
    is_discount_recalculated: Type.Boolean(),
    is_total_sum_recalculated: Type.Boolean(),
    total_sum: Type.Number({ description: 'The price after the discount, before tax. Read-only.' }),
  },
  { title: 'ReadInvoiceItem' },
)

/** The members of one value in a response, by field type. */
const valuesOfTypes: Record<FieldType, TSchema> = {
  text: Text,
  numeric: Decimal,
  checkbox: Flag,
  select: Choice,
  multiselect: Choice,
  date: Moment,
  url: Text,
  multitext: Labelled,
  textarea: Text,
  radiobutton: Choice,
  streetaddress: Text,
  smart_address: Labelled,
  birthday: Moment,
  legal_entity: structured(LegalEntity),
  items: structured(ReadItem),
  org_legal_name: Text,
  category: Choice,
  date_time: Moment,
  price: Decimal,
  tracking_data: Text,
  linked_entity: structured(LinkedEntity),
  monetary: Decimal,
  chained_list: ChainedListValue,
  file: structured(FileValue),
  payer: structured(Payer),
  supplier: structured(Supplier),
}

const variants = [...Map.groupBy(Object.entries(valuesOfTypes), ([, value]) => value)].map(
  ([value, types]: [TSchema, [string, TSchema][]]) =>
    Type.Object({ field_type: Type.Enum(types.map(([type]) => type)), values: Type.Array(value) }),
)

/** The values of one field of a record in a response: a union that narrows by `field_type`. */
export const publishedValues: TSchema = Type.Unsafe({
  title: 'FieldValues',
  allOf: [
    Type.Object({
      field_id: Type.Integer(),
      field_name: Type.String(),
      field_code: Type.Union([Type.String(), Type.Null()], {
        description: 'The code of a predefined field, as `PHONE` or `EMAIL`.',
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
