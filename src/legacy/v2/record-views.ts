import { type Static, Type } from 'typebox'
import type { FieldSet } from '../../custom-fields/custom-fields.ts'
import type { Company, Contact, Customer, Lead } from '../../entities/records/record-schemas.ts'
import { type ShownField, shownFields } from '../field-values.ts'
import { SUBTYPE, VALUE } from '../record-views.ts'
import { Links, linksById, OrNone } from './bodies.ts'

/** Records as the second API has them. An absent number is 0, and an absent resource an empty object. */

const EMPTY = 'An empty object if there is none.'
const Linked = OrNone({ id: Type.Array(Type.Integer(), { description: 'The ids.' }) }, EMPTY)
const Named = OrNone({ id: Type.Integer(), name: Type.String() }, EMPTY)
const ById = OrNone({ id: Type.Integer() }, EMPTY)
const Tags = Type.Union([
  Type.Array(Type.Object({ id: Type.Integer(), name: Type.String() })),
  Type.Object({}, { maxProperties: 0 }),
])
export const Fields = Type.Array(
  Type.Object({
    id: Type.Integer({ description: 'The id of the custom field.' }),
    name: Type.String(),
    code: Type.Optional(Type.String({ description: 'Of a predefined field, such as `PHONE`.' })),
    values: Type.Array(
      Type.Object({
        value: Type.String({ description: VALUE }),
        enum: Type.Optional(Type.Integer({ description: 'The id of the choice or label.' })),
        subtype: Type.Optional(Type.Unknown({ description: SUBTYPE })),
      }),
    ),
    is_system: Type.Boolean(),
  }),
  { description: 'The fields that have values.' },
)

const own = {
  id: Type.Integer(),
  name: Type.String(),
  responsible_user_id: Type.Integer(),
  created_by: Type.Integer(),
  created_at: Type.Integer(),
  updated_at: Type.Integer(),
  account_id: Type.Integer(),
  updated_by: Type.Integer(),
  group_id: Type.Integer(),
  closest_task_at: Type.Integer({
    description: 'Unix seconds when the next open task is due. 0: there is none.',
  }),
  tags: Tags,
  custom_fields: Fields,
  _links: Links,
  _embedded: Type.Optional(
    Type.Object(
      {
        catalog_elements_links: Type.Array(
          Type.Object({ id: Type.Integer(), catalog_id: Type.Integer(), quantity: Type.Number() }),
        ),
      },
      { description: 'With `with=catalog_elements_links`.' },
    ),
  ),
}

export const V2Lead = Type.Object(
  {
    ...own,
    company: Named,
    contacts: Linked,
    is_deleted: Type.Boolean(),
    main_contact: ById,
    closed_at: Type.Integer({ description: 'Unix seconds. 0: not closed.' }),
    status_id: Type.Integer(),
    sale: Type.Number({ description: 'The price, in whole units of the currency of the account.' }),
    loss_reason_id: Type.Integer({ description: 'Why the lead was lost. 0: no reason.' }),
    loss_reason_name: Type.Optional(
      Type.String({ description: 'Of a lost lead, with `with=loss_reason_name`.' }),
    ),
    is_price_modified_by_robot: Type.Optional(
      Type.Boolean({ description: 'With `with=is_price_modified_by_robot`.' }),
    ),
    pipeline: ById,
  },
  { title: 'V2Lead' },
)
export const V2Contact = Type.Object(
  {
    ...own,
    first_name: Type.String(),
    last_name: Type.String(),
    company: Named,
    leads: Linked,
    customers: Linked,
  },
  { title: 'V2Contact' },
)
export const V2Company = Type.Object(
  { ...own, contacts: Linked, leads: Linked, customers: Linked },
  { title: 'V2Company' },
)
const { group_id: _, ...ownOfCustomer } = own
export const V2Customer = Type.Object(
  {
    ...ownOfCustomer,
    is_deleted: Type.Boolean(),
    main_contact: ById,
    company: Named,
    contacts: Linked,
    status_id: Type.Integer(),
    period_id: Type.Integer({ description: 'The same as `status_id`.' }),
    periodicity: Type.Integer(),
    next_price: Type.Integer(),
    next_date: Type.Integer({ description: 'Unix seconds of the next expected purchase. 0: not set.' }),
  },
  { title: 'V2Customer' },
)

/** The fields and names that views look up. */
export interface Looked {
  fields: FieldSet
  /** The names of companies by their ids. */
  companies: ReadonlyMap<number, string>
}

export function leadView(lead: Lead, looked: Looked): Static<typeof V2Lead> {
  const [reason] = lead._embedded.loss_reason ?? []
  const by_robot = lead.is_price_modified_by_robot
  return {
    ...ownOf(lead, 'leads', looked),
    is_deleted: lead.is_deleted,
    main_contact: mainOf(lead),
    company: companyOf(lead, looked),
    closed_at: lead.closed_at ?? 0,
    contacts: allOf('contacts', lead._embedded.contacts),
    status_id: lead.status_id,
    sale: lead.price,
    loss_reason_id: lead.loss_reason_id ?? 0,
    ...(reason !== undefined && { loss_reason_name: reason.name }),
    ...(by_robot !== undefined && { is_price_modified_by_robot: by_robot }),
    pipeline: oneOf('pipelines', lead.pipeline_id),
  }
}

export const contactView = (contact: Contact, looked: Looked): Static<typeof V2Contact> => ({
  ...ownOf(contact, 'contacts', looked),
  first_name: contact.first_name,
  last_name: contact.last_name,
  company: companyOf(contact, looked),
  leads: allOf('leads', contact._embedded.leads),
  customers: allOf('customers', contact._embedded.customers),
})

export const companyView = (company: Company, looked: Looked): Static<typeof V2Company> => ({
  ...ownOf(company, 'companies', looked),
  contacts: allOf('contacts', company._embedded.contacts),
  leads: allOf('leads', company._embedded.leads),
  customers: allOf('customers', company._embedded.customers),
})

export const customerView = (customer: Customer, looked: Looked): Static<typeof V2Customer> => ({
  ...ownOf(customer, 'customers', looked),
  is_deleted: customer.is_deleted,
  main_contact: mainOf(customer),
  company: companyOf(customer, looked),
  contacts: allOf('contacts', customer._embedded.contacts),
  status_id: customer.status_id,
  period_id: customer.status_id,
  periodicity: customer.periodicity,
  next_price: customer.next_price,
  next_date: customer.next_date ?? 0,
})

function ownOf(record: Lead | Contact | Company | Customer, path: string, { fields }: Looked) {
  const { tags = [], catalog_elements: elements } = record._embedded
  return {
    id: record.id,
    name: record.name,
    responsible_user_id: record.responsible_user_id,
    created_by: record.created_by,
    created_at: record.created_at,
    updated_at: record.updated_at,
    account_id: record.account_id,
    updated_by: record.updated_by,
    group_id: 'group_id' in record ? record.group_id : 0,
    closest_task_at: record.closest_task_at ?? 0,
    tags: tags.length > 0 ? tags.map(({ id, name }) => ({ id, name })) : {},
    custom_fields: fieldsOf(record, fields),
    _links: linksById(path, record.id),
    ...(elements !== undefined && { _embedded: { catalog_elements_links: elements.map(elementLink) } }),
  }
}

type ElementOfRecord = NonNullable<Lead['_embedded']['catalog_elements']>[number]

const elementLink = ({ id, metadata }: ElementOfRecord) => ({
  id,
  catalog_id: metadata.catalog_id,
  quantity: metadata.quantity,
})

/** The values of a record in the form of the second API. */
export const fieldsOf = ({ custom_fields_values }: Pick<Lead, 'custom_fields_values'>, fields: FieldSet) =>
  shownFields(custom_fields_values as ShownField[] | null).map((field) => ({
    ...field,
    values: field.values.map(({ enum: choice, ...value }) => ({
      ...value,
      ...(choice !== undefined && { enum: Number(choice) }),
    })),
    is_system: fields.byId.get(field.id)?.is_predefined ?? false,
  }))

function mainOf({ _embedded: { contacts = [] } }: Lead | Customer) {
  const main = contacts.find(({ is_main }) => is_main) ?? contacts[0]
  return oneOf('contacts', main?.id)
}

const oneOf = (path: string, id: number | undefined) =>
  id === undefined ? {} : { id, _links: linksById(path, id) }

function companyOf({ _embedded }: Lead | Contact | Customer, { companies }: Looked) {
  const [company] = _embedded.companies
  return company === undefined
    ? {}
    : { id: company.id, name: companies.get(company.id) ?? '', _links: linksById('companies', company.id) }
}

function allOf(path: string, linked: readonly { id: number }[] | undefined) {
  const ids = (linked ?? []).map(({ id }) => id)
  return ids.length === 0 ? {} : { id: ids, _links: linksById(path, ...ids) }
}
