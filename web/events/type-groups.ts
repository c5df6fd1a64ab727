import { impliedType, takesFilter, type ValueFilter } from '../../src/events/event-types.ts'

/** The group of an event type, by its name; the first match counts. */
const groups = {
  field: /^custom_field_/,
  talk: /^(incoming|outgoing)_|^robot_|^intent_/,
  marketing: /^(targeting|nps|link_followed|site_visit)/,
  note: /note_/,
  task: /^task_/,
  lead: /^lead_/,
  contact: /^contact_/,
  company: /^company_/,
  customer: /^customer_|^transaction_|^ltv_/,
  record: /./,
} satisfies Record<string, RegExp>
export type TypeGroup = keyof typeof groups

export const groupOf = (type: string): TypeGroup =>
  (Object.keys(groups) as TypeGroup[]).find((name) => groups[name].test(type)) ?? 'record'

/** The groups in display order. */
export const groupOrder: TypeGroup[] = [
  'record',
  'lead',
  'contact',
  'company',
  'customer',
  'task',
  'talk',
  'note',
  'marketing',
  'field',
]

const ofField = /^custom_field_(\d+)_value_changed$/
/** Returns the custom field in a type filter. It cannot be combined with other types. */
export const fieldIn = (types: string[]): number | undefined => {
  const [, id] = types.map((type) => ofField.exec(type)).find((match) => match !== null) ?? []
  return id === undefined ? undefined : Number(id)
}

/** Resolves a changed type filter: a custom field excludes other types. */
export function withoutMisfits(chosen: string[], before: string[]): string[] {
  const added = chosen.find((type) => !before.includes(type))
  if (added && ofField.test(added)) return [added]
  return chosen.filter((type) => type === added || !ofField.test(type))
}

export const valueFilters: ValueFilter[] = [
  'leads_statuses',
  'customers_statuses',
  'responsible_user_id',
  'custom_field_values',
  'value',
]

/** Whether a value filter fits the selected types. */
export function fits(name: ValueFilter, types: string[]): boolean {
  if (types.length === 0) return impliedType(name) !== undefined
  const isField = fieldIn(types) !== undefined
  if (name === 'custom_field_values' && !isField) return false
  return types.every((type) => takesFilter(isField ? 'custom_field_value_changed' : type, name))
}
