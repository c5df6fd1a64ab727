import { type TSchema, Type } from 'typebox'

/** The values that are objects, as they are written. Values are read with the same members, except where noted. */

const Words = (most = 1_024, description?: string) => Perhaps(Type.String({ maxLength: most }), description)
const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })
const Perhaps = <T extends TSchema>(schema: T, description?: string) =>
  Type.Optional(Type.Union([schema, Type.Null()], description === undefined ? {} : { description }))
const Amount = Type.Number({ minimum: 0, maximum: 1_000_000_000_000 })
const Code = Perhaps(
  Type.Union([
    Type.String({ maxLength: 255 }),
    Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
  ]),
)

/** The details of an organisation, or of a person in business. */
const organisation = {
  vat_id: Code,
  kpp: Code,
  tax_registration_reason_code: Code,
  address: Words(1_024, 'The registered address.'),
  real_address: Words(),
  bank_code: Code,
  bank_account_number: Code,
  director: Words(),
  external_uid: Words(),
  unp: Code,
  bin: Code,
  egrpou: Code,
  mfo: Code,
  oked: Code,
}

export const LegalEntity = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 1_024 }),
    entity_type: Perhaps(Type.Enum([1, 2]), '1 is a person, 2 an organisation.'),
    ...organisation,
  },
  { title: 'LegalEntity' },
)

export const InvoiceItem = Type.Object(
  {
    sku: Words(255, 'The article number.'),
    description: Words(1_024, 'The name of the item.'),
    unit_price: Perhaps(Amount, 'The price of one, with its fraction, such as `12.5`.'),
    quantity: Perhaps(Amount),
    unit_type: Words(255, 'The unit, such as `pcs`.'),
    discount: Perhaps(
      Type.Object({
        type: Type.Enum(['percentage', 'amount']),
        value: Type.Number({ ...Amount, description: 'In percent, or in the currency of the price.' }),
      }),
      'A percentage of the whole price, or an amount off it.',
    ),
    vat_rate_id: Perhaps(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
    vat_rate_value: Perhaps(Amount, 'In percent.'),
    external_uid: Words(255),
    product_id: Perhaps(Id, 'The id of the element of a list.'),
    bonus_points_per_purchase: Perhaps(Amount, 'Stored as it was sent.'),
    metadata: Perhaps(
      Type.Record(
        Type.String({ maxLength: 255 }),
        Type.Union([Type.String({ maxLength: 255 }), Type.Number(), Type.Boolean(), Type.Null()]),
        { maxProperties: 20 },
      ),
      'Stored as it was sent.',
    ),
  },
  { title: 'InvoiceItem' },
)

export const LinkedEntity = Type.Object(
  {
    name: Words(1_024, 'The name that people see. Stored as it was sent.'),
    entity_id: Id,
    entity_type: Type.Enum(['contacts', 'companies', 'catalog_elements']),
    catalog_id: Perhaps(Id, 'The list of an element.'),
  },
  { title: 'LinkedEntity' },
)

export const ChainedListValue = Type.Object(
  { catalog_id: Id, catalog_element_id: Id },
  { title: 'ChainedListValue' },
)

export const FileValue = Type.Object(
  {
    file_uuid: Type.String({
      minLength: 1,
      maxLength: 255,
      description: 'The id of the file in the file service.',
    }),
    version_uuid: Words(255),
    file_name: Words(),
    file_size: Perhaps(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }), 'Bytes.'),
  },
  { title: 'FileValue' },
)

/** A payer is described in detail, or is one of the records, and then needs no name. */
export const Payer = Type.Object(
  {
    name: Words(1_024, 'Required unless `entity_id` names a record.'),
    type: Perhaps(Type.Enum(['legal', 'individual']), 'An organisation, or a person.'),
    entity_type: Perhaps(
      Type.Enum([1, 2, 'contacts', 'companies']),
      '1 is a person, 2 an organisation; the names are those of records.',
    ),
    entity_id: Perhaps(Id, 'The id of the contact or company.'),
    ...organisation,
  },
  { title: 'Payer' },
)

export const Supplier = Type.Object(
  { entity_id: Type.Integer({ ...Id, description: 'The id of the supplier. Stored as it was sent.' }) },
  { title: 'Supplier' },
)
