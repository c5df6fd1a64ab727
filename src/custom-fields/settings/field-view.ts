import { self } from '../../http/hal.ts'
import { typeOf } from '../fields/field-types.ts'
import type { Field } from '../fields/fields.ts'
import type { CustomField } from '../fields/schemas.ts'
import { settingOf } from './field-drafts.ts'

/** A field in the v4 format; `address` is the URL of the collection. */
export function fieldView(field: Field, address: string): CustomField {
  return {
    id: field.id,
    name: field.name,
    type: field.type,
    account_id: field.account_id,
    code: field.code,
    sort: field.sort,
    is_api_only: field.is_api_only,
    enums: enumsOf(field),
    ...(field.catalog_id === null ? ofRecords(field) : ofCatalog(field, field.catalog_id)),
    disabled: field.is_disabled,
    origin: field.origin,
    _links: self(`${address}/${field.id}`),
  }
}

const ofRecords = (field: Field) => ({
  group_id: field.group_id,
  required_statuses: settingOf(field, 'required_statuses'),
  is_deletable: field.is_deletable,
  is_predefined: field.is_predefined,
  entity_type: field.entity_type,
  ...(field.entity_type === 'leads' && { is_computed: false }),
  tracking_callback: settingOf(field, 'tracking_callback'),
  remind: settingOf(field, 'remind'),
  triggers: [],
  currency: settingOf(field, 'currency'),
  hidden_statuses: settingOf(field, 'hidden_statuses'),
  chained_lists: settingOf(field, 'chained_lists'),
})

const ofCatalog = (field: Field, catalog_id: number) => ({
  group_id: field.group_id,
  is_deletable: field.is_deletable,
  is_predefined: field.is_predefined,
  entity_type: field.entity_type,
  catalog_id,
  is_visible: settingOf(field, 'is_visible'),
  is_required: settingOf(field, 'is_required'),
  remind: settingOf(field, 'remind'),
  nested: treeOf(field),
  settings: settingOf(field, 'settings'),
  ...(field.type === 'linked_entity' && { search_in: settingOf(field, 'search_in') }),
})

function enumsOf({ type, enums }: Field): CustomField['enums'] {
  const rule = typeOf(type).enums
  if (rule === null || rule === 'tree') return null
  return enums.map(({ id, value, sort, code }) => ({ id, value, sort, code }))
}

function treeOf({ type, enums }: Field): CustomField['nested'] {
  if (typeOf(type).enums !== 'tree') return null
  return enums.map(({ id, parent_id, value, sort }) => ({ id, parent_id: parent_id ?? null, value, sort }))
}
