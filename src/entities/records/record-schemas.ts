import { type Static, Type } from 'typebox'
import { ByIntegration } from '../../accounts/members/schemas.ts'
import { ShownValues } from '../../custom-fields/custom-fields.ts'
import { Self } from '../../http/hal.ts'
import { AlwaysNull } from '../../http/published.ts'

/** Records in responses, with the members in the platform's order (docs/wire/records.md). */

const Id = Type.Integer()
const orNull = <T extends ReturnType<typeof Type.Integer> | ReturnType<typeof Type.String>>(type: T) =>
  Type.Union([type, Type.Null()])

export const ShownTag = Type.Object(
  {
    id: Id,
    name: Type.String(),
    color: orNull(
      Type.String({ description: 'Six hexadecimal digits, without `#`. Only tags of leads have one.' }),
    ),
  },
  { title: 'Tag' },
)
const Reference = Type.Object({ id: Id, _links: Self }, { title: 'RecordReference' })
const ContactReference = Type.Object(
  { id: Id, is_main: Type.Boolean({ description: 'Whether it is the main contact.' }), _links: Self },
  { title: 'ContactReference' },
)
const ElementReference = Type.Object(
  {
    id: Id,
    metadata: Type.Object({ quantity: Type.Number(), catalog_id: Id, price_id: orNull(Id) }),
  },
  { title: 'ElementReference' },
)

const tags = { tags: Type.Array(ShownTag) }
const companies = { companies: Type.Array(Reference, { description: 'At most one.' }) }
const contacts = {
  contacts: Type.Optional(Type.Array(ContactReference, { description: 'With `with=contacts`.' })),
}
const deals = {
  leads: Type.Optional(Type.Array(Reference, { description: 'With `with=leads`.' })),
  customers: Type.Optional(Type.Array(Reference, { description: 'With `with=customers`.' })),
}
const elements = {
  catalog_elements: Type.Optional(
    Type.Array(ElementReference, { description: 'With `with=catalog_elements`.' }),
  ),
}

const LossReason = Type.Object({
  id: Id,
  name: Type.String(),
  sort: Type.Integer(),
  created_at: Type.Integer(),
  updated_at: Type.Integer(),
  _links: Self,
})

const signature = {
  created_by: Id,
  updated_by: Id,
  created_by_integration: Type.Optional(ByIntegration),
  updated_by_integration: Type.Optional(ByIntegration),
  created_at: Type.Integer(),
  updated_at: Type.Integer(),
}
const values = { custom_fields_values: ShownValues }
const responsible = { responsible_user_id: Id, group_id: Id }

export const Lead = Type.Object(
  {
    id: Id,
    name: Type.String(),
    price: Type.Integer({ description: 'Whole units of the currency of the account.' }),
    price_with_minor_units: Type.Number({ description: 'The price with its fraction. Read-only.' }),
    ...responsible,
    status_id: Id,
    pipeline_id: Id,
    loss_reason_id: orNull(Id),
    source_id: orNull(Id),
    ...signature,
    closed_at: orNull(Type.Integer()),
    closest_task_at: orNull(Type.Integer()),
    is_deleted: Type.Boolean(),
    ...values,
    score: AlwaysNull,
    account_id: Id,
    labor_cost: AlwaysNull,
    is_price_computed: Type.Boolean({ description: 'Always false.' }),
    is_price_modified_by_robot: Type.Optional(Type.Boolean({ description: 'Always false.' })),
    _links: Self,
    _embedded: Type.Object({
      ...tags,
      ...companies,
      ...contacts,
      ...elements,
      loss_reason: Type.Optional(Type.Array(LossReason, { description: 'With `with=loss_reason`.' })),
      source: Type.Optional(
        Type.Union([Type.Object({ id: Id, name: Type.String() }), Type.Null()], {
          description: 'With `with=source`. Null: none.',
        }),
      ),
    }),
  },
  { title: 'Lead' },
)
export type Lead = Static<typeof Lead>

export const Contact = Type.Object(
  {
    id: Id,
    name: Type.String(),
    first_name: Type.String(),
    last_name: Type.String(),
    ...responsible,
    ...signature,
    is_deleted: Type.Boolean(),
    is_unsorted: Type.Boolean({
      description: 'Whether it belongs to an incoming lead that has not been accepted.',
    }),
    closest_task_at: orNull(Type.Integer()),
    ...values,
    account_id: Id,
    _links: Self,
    _embedded: Type.Object({ ...tags, ...companies, ...deals, ...elements }),
  },
  { title: 'Contact' },
)
export type Contact = Static<typeof Contact>

export const Company = Type.Object(
  {
    id: Id,
    name: Type.String(),
    ...responsible,
    ...signature,
    is_deleted: Type.Boolean(),
    closest_task_at: orNull(Type.Integer()),
    ...values,
    account_id: Id,
    _links: Self,
    _embedded: Type.Object({ ...tags, ...contacts, ...deals, ...elements }),
  },
  { title: 'Company' },
)
export type Company = Static<typeof Company>

export const Customer = Type.Object(
  {
    id: Id,
    name: Type.String(),
    next_price: Type.Integer({ description: 'The expected price, in whole units of the currency.' }),
    next_price_with_minor_units: Type.Number({
      description: 'The expected price with its fraction. Read-only.',
    }),
    next_date: orNull(Type.Integer()),
    responsible_user_id: Id,
    status_id: Id,
    periodicity: Type.Integer({ description: 'Days between purchases. 0: not set.' }),
    ...signature,
    closest_task_at: orNull(Type.Integer()),
    is_deleted: Type.Boolean(),
    ...values,
    ltv: Type.Integer({
      description: 'The sum of all purchases, in whole units of the currency. Read-only.',
    }),
    ltv_with_minor_units: Type.Number({ description: 'The sum with its fraction. Read-only.' }),
    purchases_count: Type.Integer({ description: 'Read-only.' }),
    average_check: Type.Integer({
      description: 'The average price of a purchase, rounded to whole units. Read-only.',
    }),
    average_check_with_minor_units: Type.Number({
      description: 'The average price of a purchase, in hundredths. Read-only.',
    }),
    account_id: Id,
    _links: Self,
    _embedded: Type.Object({
      segments: Type.Array(Reference),
      ...tags,
      ...companies,
      ...contacts,
      ...elements,
    }),
  },
  { title: 'Customer' },
)
export type Customer = Static<typeof Customer>

export const Element = Type.Object(
  {
    id: Id,
    name: Type.String(),
    ...signature,
    is_deleted: Type.Boolean(),
    ...values,
    catalog_id: Id,
    account_id: Id,
    request_id: Type.Optional(Type.Union([Type.String(), Type.Integer()])),
    invoice_link: Type.Optional(AlwaysNull),
    _links: Self,
  },
  { title: 'Element' },
)
export type Element = Static<typeof Element>
