import { self } from '../../http/hal.ts'
import { typeOf } from '../fields/field-types.ts'
import type { Field } from '../fields/fields.ts'
import type { CustomField } from '../fields/schemas.ts'
import { settingOf } from './field-drafts.ts'

/** A field in the v4 format; `address` is the URL of the collection. */
export const fieldView = (field: Field, address: string): CustomField => ({
  ...beforeEnums(field),
  enums: enumsOf(field),
  ...afterEnums(field, address),
})

/**
 * The same as JSON text. A field can have a thousand choices, and a page two hundred such fields, so the text of the choices is
 * kept as long as they are unchanged.
 */
export function fieldText(field: Field, address: string): string {
  const [before, after] = [beforeEnums(field), afterEnums(field, address)].map((part) => JSON.stringify(part))
  return `${before?.slice(0, -1)},"enums":${enumsText(field)},${after?.slice(1)}`
}

const beforeEnums = ({ id, name, type, account_id, code, sort, is_api_only }: Field) => ({
  id,
  name,
  type,
  account_id,
  code,
  sort,
  is_api_only,
})

const afterEnums = (field: Field, address: string) => ({
  ...(field.catalog_id === null ? ofRecords(field) : ofCatalog(field, field.catalog_id)),
  disabled: field.is_disabled,
  origin: field.origin,
  _links: self(`${address}/${field.id}`),
})

/** By the choices of a field, which are the same object until they change. */
const enumsTexts = new WeakMap<Field['enums'], string>()

function enumsText(field: Field): string {
  if (!hasList(field)) return 'null'
  let text = enumsTexts.get(field.enums)
  if (text === undefined) {
    text = JSON.stringify(enumsOf(field))
    enumsTexts.set(field.enums, text)
  }
  return text
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

/** The choices of a category are a tree. */
function hasList({ type }: Field): boolean {
  const rule = typeOf(type).enums
  return rule !== null && rule !== 'tree'
}

function enumsOf(field: Field): CustomField['enums'] {
  if (!hasList(field)) return null
  return field.enums.map(({ id, value, sort, code }) => ({ id, value, sort, code }))
}

function treeOf({ type, enums }: Field): CustomField['nested'] {
  if (typeOf(type).enums !== 'tree') return null
  return enums.map(({ id, parent_id, value, sort }) => ({ id, parent_id: parent_id ?? null, value, sort }))
}
