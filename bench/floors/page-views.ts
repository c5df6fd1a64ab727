import type { TaskRow } from '../../src/db/tables.ts'
import type { ListedEntity } from '../../src/entities/records/listed-columns.ts'
import type { Constants } from './rows.ts'

/** A record with the rows that belong to it. */
interface Listed {
  row: ListedEntity
  group_id: number
  tags: readonly { id: number; name: string; color: string | null }[]
  companies: readonly { id: number }[]
}

/** The address of the API, and the function that shows the values of a record. */
interface Showing {
  account_id: number
  base: string
  valuesOf(row: ListedEntity): object[] | null
}

const self = (href: string) => ({ self: { href } })

const tagsOf = ({ tags }: Listed) => tags.map(({ id, name, color }) => ({ id, name, color }))

const companiesOf = ({ companies }: Listed, { base }: Showing) =>
  companies.map(({ id }) => ({ id, _links: self(`${base}/companies/${id}`) }))

const lead = (listed: Listed, at: Showing, row = listed.row) => ({
  id: row.id,
  name: row.name,
  price: row.price ?? 0,
  price_with_minor_units: row.price_with_minor_units ?? row.price ?? 0,
  responsible_user_id: row.responsible_user_id,
  group_id: listed.group_id,
  status_id: row.status_id,
  pipeline_id: row.pipeline_id,
  loss_reason_id: row.loss_reason_id,
  source_id: row.source_id,
  created_by: row.created_by,
  updated_by: row.updated_by,
  created_at: row.created_at,
  updated_at: row.updated_at,
  closed_at: row.closed_at,
  closest_task_at: row.closest_task_at,
  is_deleted: row.is_deleted === 1,
  custom_fields_values: at.valuesOf(row),
  score: null,
  account_id: at.account_id,
  labor_cost: null,
  is_price_computed: false,
  _links: self(`${at.base}/leads/${row.id}`),
  _embedded: { tags: tagsOf(listed), companies: companiesOf(listed, at) },
})

const contact = (listed: Listed, at: Showing, row = listed.row) => ({
  id: row.id,
  name: row.name,
  first_name: row.first_name ?? '',
  last_name: row.last_name ?? '',
  responsible_user_id: row.responsible_user_id,
  group_id: listed.group_id,
  created_by: row.created_by,
  updated_by: row.updated_by,
  created_at: row.created_at,
  updated_at: row.updated_at,
  is_deleted: row.is_deleted === 1,
  is_unsorted: row.is_unsorted === 1,
  closest_task_at: row.closest_task_at,
  custom_fields_values: at.valuesOf(row),
  account_id: at.account_id,
  _links: self(`${at.base}/contacts/${row.id}`),
  _embedded: { tags: tagsOf(listed), companies: companiesOf(listed, at) },
})

const company = (listed: Listed, at: Showing, row = listed.row) => ({
  id: row.id,
  name: row.name,
  responsible_user_id: row.responsible_user_id,
  group_id: listed.group_id,
  created_by: row.created_by,
  updated_by: row.updated_by,
  created_at: row.created_at,
  updated_at: row.updated_at,
  is_deleted: row.is_deleted === 1,
  closest_task_at: row.closest_task_at,
  custom_fields_values: at.valuesOf(row),
  account_id: at.account_id,
  _links: self(`${at.base}/companies/${row.id}`),
  _embedded: { tags: tagsOf(listed) },
})

/** The members of the kinds that have tags and links, as in the API. */
export const cards = { leads: lead, contacts: contact, companies: company }

export const element = (row: ListedEntity, at: Showing) => ({
  id: row.id,
  name: row.name,
  created_by: row.created_by,
  updated_by: row.updated_by,
  created_at: row.created_at,
  updated_at: row.updated_at,
  is_deleted: row.is_deleted === 1,
  custom_fields_values: at.valuesOf(row),
  catalog_id: row.catalog_id,
  account_id: at.account_id,
  _links: self(`${at.base}/catalogs/${row.catalog_id}/elements/${row.id}`),
})

export const task = (row: TaskRow, group_id: number, at: Showing) => ({
  id: row.id,
  created_by: row.created_by,
  updated_by: row.updated_by,
  created_at: row.created_at,
  updated_at: row.updated_at,
  responsible_user_id: row.responsible_user_id,
  group_id,
  entity_id: row.entity_id,
  entity_type: row.entity_type,
  duration: row.duration,
  is_completed: row.is_completed === 1,
  task_type_id: row.task_type_id,
  text: row.text,
  result: row.result === null ? [] : { text: row.result },
  complete_till: row.complete_till,
  account_id: at.account_id,
  _links: self(`${at.base}/tasks/${row.id}`),
})

/** Makes the function that shows the values of a record, in the order of the fields. */
export function describing(fields: Constants['fields']) {
  const known = fields.map((field) => ({
    ...field,
    choices: new Map(field.enums.map((one) => [one.id, one])),
  }))
  return ({ field_values }: ListedEntity) => {
    if (field_values === null) return null
    const stored = JSON.parse(field_values) as Record<string, unknown[]>
    const shown: object[] = []
    for (const { id, name, type, choices } of known) {
      const values = stored[id]?.map((value) => {
        const choice = choices.get(value as number)
        return choice ? { value: choice.value, enum_id: choice.id, enum_code: null } : { value }
      })
      if (values) shown.push({ field_id: id, field_name: name, field_code: null, field_type: type, values })
    }
    return shown
  }
}
