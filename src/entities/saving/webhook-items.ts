import { type WebhookField, webhookFields } from '../../custom-fields/custom-fields.ts'
import type { EntityRow } from '../../db/tables.ts'
import type { FormObject } from '../../webhooks/webhooks.ts'
import type { EntityType } from '../records/entity-types.ts'
import type { WorkingCopy } from '../records/working-copy.ts'
import type { References } from './references.ts'

/** Linked records that the item of a contact or company names. */
export interface LinkedRecords {
  company: { id: number; name: string } | null
  leads: readonly number[]
}

export const NO_LINKS: LinkedRecords = { company: null, leads: [] }

/** Previous values that the request about a change adds to the item. */
export interface Previous {
  old_status_id?: number | null
  old_responsible_user_id?: number
}

interface Parts {
  row: EntityRow
  old: Previous
  custom_fields: readonly WebhookField[]
  tags: readonly { id: number; name: string }[]
  linked: LinkedRecords
}

/** Times and users under the names of the older API. */
const older = ({ created_at, updated_at, created_by, updated_by }: EntityRow) => ({
  date_create: created_at,
  last_modified: updated_at,
  created_user_id: created_by,
  modified_user_id: updated_by,
})

const times = ({ created_at, updated_at }: EntityRow) => ({ created_at, updated_at })

const person =
  (type: 'contact' | 'company') =>
  ({ row, old, custom_fields, tags, linked: { company, leads } }: Parts) => ({
    id: row.id,
    name: row.name,
    responsible_user_id: row.responsible_user_id,
    ...older(row),
    company_name: company?.name,
    linked_company_id: company?.id,
    account_id: row.account_id,
    custom_fields,
    tags,
    linked_leads_id: Object.fromEntries(leads.map((id) => [id, { ID: id }])),
    old_responsible_user_id: old.old_responsible_user_id,
    ...times(row),
    type,
  })

/** The items of changed records, with their members in the platform's order (docs/wire/webhooks.md#records). */
const items: Record<EntityType, (parts: Parts) => object> = {
  leads: ({ row, old, custom_fields, tags }) => ({
    id: row.id,
    name: row.name,
    status_id: row.status_id,
    old_status_id: old.old_status_id,
    price: row.price,
    responsible_user_id: row.responsible_user_id,
    last_modified: row.updated_at,
    modified_user_id: row.updated_by,
    created_user_id: row.created_by,
    date_create: row.created_at,
    pipeline_id: row.pipeline_id,
    tags,
    account_id: row.account_id,
    custom_fields,
    old_responsible_user_id: old.old_responsible_user_id,
    ...times(row),
  }),
  contacts: person('contact'),
  companies: person('company'),
  customers: ({ row, old, custom_fields, tags }) => ({
    id: row.id,
    name: row.name,
    next_price: row.next_price,
    next_date: row.next_date,
    status_id: row.status_id,
    responsible_user_id: row.responsible_user_id,
    created_by: row.created_by,
    modified_by: row.updated_by,
    date_create: row.created_at,
    date_modify: row.updated_at,
    periodicity: row.periodicity,
    main_user_id: row.responsible_user_id,
    account_id: row.account_id,
    custom_fields,
    tags,
    old_responsible_user_id: old.old_responsible_user_id,
    ...times(row),
  }),
  catalog_elements: ({ row, custom_fields }) => ({
    id: row.id,
    date_create: row.created_at,
    date_modify: row.updated_at,
    created_by: row.created_by,
    modified_by: row.updated_by,
    catalog_id: row.catalog_id,
    name: row.name,
    deleted: row.is_deleted === 1,
    custom_fields,
    ...times(row),
    type: 'catalog',
  }),
}

/** The item of a record. */
export const itemOf = (
  { row, values, tags }: WorkingCopy,
  { fields, tags: { byId } }: Pick<References, 'fields' | 'tags'>,
  linked: LinkedRecords,
  old: Previous,
): FormObject =>
  items[row.entity_type as EntityType]({
    ...{ row, old, linked },
    custom_fields: webhookFields(fields, values),
    tags: [...tags].flatMap((id) => {
      const tag = byId.get(id)
      return tag ? [{ id, name: tag.name }] : []
    }),
  }) as FormObject

const deletedItems: Record<EntityType, (row: EntityRow) => FormObject> = {
  leads: ({ id, status_id, pipeline_id }) => ({ id, status_id, pipeline_id }),
  contacts: ({ id }) => ({ id, type: 'contact' }),
  companies: ({ id }) => ({ id, type: 'company' }),
  customers: ({ id }) => ({ id }),
  catalog_elements: ({ id, catalog_id }) => ({ id, catalog_id, type: 'catalog' }),
}

/** The item of a deleted record. */
export const deletedItem = (row: EntityRow): FormObject => deletedItems[row.entity_type as EntityType](row)
