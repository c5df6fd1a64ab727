import type { Field, FieldSet } from '../../custom-fields/custom-fields.ts'
import { addressParts, type FieldType } from '../../custom-fields/fields/field-types.ts'

/** The kinds that can be imported. */
export const importedTypes = ['contacts', 'companies', 'leads'] as const
export type ImportedType = (typeof importedTypes)[number]

/** A target of a column. */
export interface Target {
  /** `name`, `field.12`, `field.12.WORK`, `contact.phone`. */
  target: string
  /** The name of a field or of a part of it. The other names are translated by the reader. */
  name: string | null
  part: string | null
  /** Several columns can have this target. */
  is_repeatable: boolean
}

const own: Record<ImportedType, string[]> = {
  contacts: ['name', 'first_name', 'last_name', 'company.name'],
  companies: ['name'],
  leads: [
    'name',
    'price',
    'pipeline',
    'stage',
    'contact.name',
    'contact.phone',
    'contact.email',
    'company.name',
    'company.phone',
  ],
}
const everywhere = ['responsible', 'tags', 'created_at', 'id']

/** How a cell is parsed: as text, as one of a few values, or not at all. */
export type CellForm =
  | 'text'
  | 'number'
  | 'flag'
  | 'choice'
  | 'choices'
  | 'day'
  | 'moment'
  | 'labelled'
  | 'named'

/** The form of each field type; null if it cannot be imported. */
export const cellForms: Record<FieldType, CellForm | null> = {
  text: 'text',
  textarea: 'text',
  streetaddress: 'text',
  url: 'text',
  org_legal_name: 'text',
  tracking_data: 'text',
  numeric: 'number',
  monetary: 'number',
  checkbox: 'flag',
  select: 'choice',
  radiobutton: 'choice',
  multiselect: 'choices',
  date: 'day',
  birthday: 'day',
  date_time: 'moment',
  multitext: 'labelled',
  smart_address: 'labelled',
  legal_entity: 'named',
  items: null,
  category: null,
  price: null,
  linked_entity: null,
  chained_list: null,
  file: null,
  payer: null,
  supplier: null,
}

/** The targets of a kind that a person can write, in the order in which they are offered. */
export function targetsOf(type: ImportedType, fields: FieldSet): Target[] {
  return [
    ...own[type].map(ownTarget),
    ...fields.list.filter(isWritable).flatMap(fieldTargets),
    ...everywhere.map(ownTarget),
  ]
}

const ownTarget = (target: string): Target => ({
  target,
  name: null,
  part: null,
  is_repeatable: target === 'tags',
})

/** Fields that only services write cannot be targets. */
const isWritable = ({ type, is_api_only, is_disabled }: Field): boolean =>
  cellForms[type] !== null && !is_api_only && !is_disabled

function fieldTargets(field: Field): Target[] {
  const { id, name, type, enums } = field
  const part = (code: string): Target => ({
    target: `field.${id}.${code}`,
    name,
    part: code,
    is_repeatable: type === 'multitext',
  })
  if (type === 'smart_address') return addressParts.map(part)
  const whole = {
    ...ownTarget(`field.${id}`),
    name,
    is_repeatable: type === 'multitext' || type === 'multiselect',
  }
  if (type !== 'multitext') return [whole]
  return [whole, ...enums.flatMap(({ code }) => (code === null ? [] : [part(code)]))]
}

/** The field of a target and its part; null for other targets. */
export function fieldOfTarget(
  target: string,
  fields: FieldSet,
): { field: Field; part: string | null } | null {
  const [, id, part] = /^field\.(\d+)(?:\.(.+))?$/.exec(target) ?? []
  const field = id === undefined ? undefined : fields.byId.get(Number(id))
  return field ? { field, part: part ?? null } : null
}
