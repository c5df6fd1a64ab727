import { type Static, Type } from 'typebox'
import type { Company, Contact, Lead } from '../entities/records/record-schemas.ts'
import { type ShownField, shownFields } from './field-values.ts'

/** Records as the legacy lists have them (docs/wire/legacy.md#records). An absent number is 0. */

/** Members of a value, which the second API has, too. */
export const VALUE = 'As text: a checkbox is `1` or `0`, a date `2026-11-23 00:00:00` in UTC, an object JSON.'
export const SUBTYPE = 'The part of an address, such as `city`.'

export const Tag = Type.Object({ id: Type.Integer(), name: Type.String() })
export const Fields = Type.Array(
  Type.Object({
    id: Type.Integer({ description: 'The id of the custom field.' }),
    name: Type.String(),
    code: Type.Optional(Type.String({ description: 'Of a predefined field, such as `PHONE`.' })),
    values: Type.Array(
      Type.Object({
        value: Type.String({ description: VALUE }),
        enum: Type.Optional(Type.String({ description: 'The id of the choice or label.' })),
        subtype: Type.Optional(Type.Unknown({ description: SUBTYPE })),
      }),
    ),
  }),
  { description: 'The fields that have values.' },
)

export const LegacyLead = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    date_create: Type.Integer(),
    created_user_id: Type.Integer(),
    last_modified: Type.Integer(),
    account_id: Type.Integer(),
    price: Type.Number({ description: 'Whole units of the currency of the account.' }),
    responsible_user_id: Type.Integer(),
    linked_company_id: Type.Integer(),
    group_id: Type.Integer(),
    pipeline_id: Type.Integer(),
    date_close: Type.Integer(),
    closest_task: Type.Integer(),
    loss_reason_id: Type.Integer({ description: 'Why the lead was lost. 0: no reason.' }),
    deleted: Type.Integer({ description: '1: in the trash.' }),
    tags: Type.Array(Tag),
    status_id: Type.Integer(),
    custom_fields: Fields,
    main_contact_id: Type.Integer(),
  },
  { title: 'LegacyLead' },
)

const person = {
  id: Type.Integer(),
  name: Type.String(),
  last_modified: Type.Integer(),
  account_id: Type.Integer(),
  date_create: Type.Integer(),
  created_user_id: Type.Integer(),
  modified_user_id: Type.Integer(),
  responsible_user_id: Type.Integer(),
  group_id: Type.Integer(),
  closest_task: Type.Integer(),
}
const linked = { tags: Type.Array(Tag), custom_fields: Fields, linked_leads_id: Type.Array(Type.Integer()) }

export const LegacyContact = Type.Object(
  {
    ...person,
    linked_company_id: Type.Integer(),
    company_name: Type.String(),
    type: Type.Literal('contact'),
    ...linked,
  },
  { title: 'LegacyContact' },
)
export const LegacyCompany = Type.Object(
  { ...person, type: Type.Literal('company'), ...linked },
  { title: 'LegacyCompany' },
)

interface Names {
  /** The names of companies by their ids. */
  companies: ReadonlyMap<number, string>
}

export function leadView(lead: Lead): Static<typeof LegacyLead> {
  const { companies, contacts, tags } = lead._embedded
  return {
    id: lead.id,
    name: lead.name,
    date_create: lead.created_at,
    created_user_id: lead.created_by,
    last_modified: lead.updated_at,
    account_id: lead.account_id,
    price: lead.price,
    responsible_user_id: lead.responsible_user_id,
    linked_company_id: companies?.[0]?.id ?? 0,
    group_id: lead.group_id,
    pipeline_id: lead.pipeline_id,
    date_close: lead.closed_at ?? 0,
    closest_task: lead.closest_task_at ?? 0,
    loss_reason_id: lead.loss_reason_id ?? 0,
    deleted: Number(lead.is_deleted),
    tags: tags ?? [],
    status_id: lead.status_id,
    custom_fields: fieldsOf(lead),
    main_contact_id: (contacts?.find(({ is_main }) => is_main) ?? contacts?.[0])?.id ?? 0,
  }
}

export function contactView(contact: Contact, names: Names): Static<typeof LegacyContact> {
  const company = contact._embedded.companies?.[0]?.id ?? 0
  return {
    ...personOf(contact),
    linked_company_id: company,
    company_name: names.companies.get(company) ?? '',
    type: 'contact',
    ...linkedOf(contact),
  }
}

export const companyView = (company: Company): Static<typeof LegacyCompany> => ({
  ...personOf(company),
  type: 'company',
  ...linkedOf(company),
})

const personOf = (record: Contact | Company) => ({
  id: record.id,
  name: record.name,
  last_modified: record.updated_at,
  account_id: record.account_id,
  date_create: record.created_at,
  created_user_id: record.created_by,
  modified_user_id: record.updated_by,
  responsible_user_id: record.responsible_user_id,
  group_id: record.group_id,
  closest_task: record.closest_task_at ?? 0,
})

const linkedOf = (record: Contact | Company) => ({
  tags: record._embedded.tags,
  custom_fields: fieldsOf(record),
  linked_leads_id: (record._embedded.leads ?? []).map(({ id }) => id),
})

const fieldsOf = ({ custom_fields_values }: Pick<Lead, 'custom_fields_values'>) =>
  shownFields(custom_fields_values as ShownField[] | null)
