/** Under which heading a type of event is found, by its name; the first that fits. */
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

/** The headings in the order in which they are shown. */
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
/** The field whose changes are asked for; it goes with no other type. */
export const fieldIn = (types: string[]): number | undefined => {
  const [, id] = types.map((type) => ofField.exec(type)).find((match) => match !== null) ?? []
  return id === undefined ? undefined : Number(id)
}

/** What is asked for after one more type was ticked, or one less: a field stands alone. */
export function withoutMisfits(chosen: string[], before: string[]): string[] {
  const added = chosen.find((type) => !before.includes(type))
  if (added && ofField.test(added)) return [added]
  return chosen.filter((type) => type === added || !ofField.test(type))
}

export type ValueFilterName =
  | 'leads_statuses'
  | 'customers_statuses'
  | 'responsible_user_id'
  | 'custom_field_values'
  | 'value'

/** The types that a filter on values fits; one alone is understood even when no type is asked for. */
const fitting: Record<ValueFilterName, readonly string[]> = {
  leads_statuses: ['lead_status_changed'],
  customers_statuses: ['customer_status_changed'],
  responsible_user_id: ['entity_responsible_changed'],
  custom_field_values: [],
  value: [
    'sale_field_changed',
    'name_field_changed',
    'ltv_field_changed',
    'custom_field_value_changed',
    'nps_rate_added',
  ],
}
export const valueFilterNames = Object.keys(fitting) as ValueFilterName[]

/** Whether a filter on values can be asked beside these types. */
export function fits(name: ValueFilterName, types: string[]): boolean {
  if (types.length === 0) return fitting[name].length === 1
  if (fieldIn(types) !== undefined) return name === 'custom_field_values' || name === 'value'
  return types.every((type) => fitting[name].includes(type))
}
