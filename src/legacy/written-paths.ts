import type { Item } from './members.ts'

/** Names of the older APIs by those of v4, first those of the first API. A fault names the member that was written. */
const names = new Map<string, readonly string[]>(
  Object.entries({
    entity_id: ['element_id'],
    entity_type: ['element_type'],
    task_type_id: ['task_type'],
    complete_till: ['complete_till', 'complete_till_at'],
    is_completed: ['status', 'is_completed'],
    created_at: ['date_create'],
    created_by: ['created_user_id'],
    updated_by: ['modified_user_id'],
    responsible_user_id: ['main_user_id'],
    custom_fields_values: ['custom_fields'],
    price: ['sale'],
    destination: ['url'],
    settings: ['events'],
  }),
)

const linked = new Map<string, readonly string[]>(
  Object.entries({
    contacts: ['contacts_id', 'main_contact_id'],
    companies: ['company_id', 'linked_company_id', 'company_name'],
    leads: ['leads_id', 'linked_leads_id'],
    customers: ['customers_id'],
    tags: ['tags'],
    catalog_elements: ['catalog_elements_id'],
  }),
)

const inFields = new Map(Object.entries({ field_id: 'id', enum_id: 'enum', enum_code: 'enum' }))

/** The path of a fault in the names of the item. A member that no name of the item explains keeps its name in v4. */
export function writtenPath(item: Item, path: string): string {
  const [first = '', ...rest] = path.split('.')
  const written = (known: readonly string[] | undefined) => known?.find((name) => item[name] !== undefined)
  if (first === '_embedded') return written(linked.get(rest[0] ?? '')) ?? path
  const name = written(names.get(first))
  if (name === undefined || item[first] !== undefined) return path
  return [name, ...(first === 'custom_fields_values' ? rest.map(fieldName) : rest)].join('.')
}

const fieldName = (name: string): string => inFields.get(name) ?? name
