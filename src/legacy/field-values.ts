import type { Field, FieldSet, FieldType } from '../custom-fields/custom-fields.ts'
import { parseJson } from '../http/bodies/json-body.ts'
import { dateText } from '../webhooks/webhooks.ts'
import { flagIn, type Item, listIn, numberIn, textIn } from './members.ts'

/** Values of custom fields in the legacy form, in both directions (docs/wire/legacy.md#values-of-fields). */

/** `custom_fields` of an item as `custom_fields_values` of v4. Unreadable values stay, so that validation refuses them. */
export function writtenFields(written: unknown, fields: FieldSet): unknown {
  if (typeof written !== 'object' || written === null) return written
  return Object.values(written).map((entry) => {
    const { id, values } = Object(entry) as Item
    const field_id = numberIn(id)
    const field = fields.byId.get(field_id as number)
    return { field_id, values: listIn(values).map((value) => writtenValue(value, field)) }
  })
}

function writtenValue(written: unknown, field: Field | undefined): unknown {
  if (field === undefined) return Object(written)
  const {
    value,
    enum: choice,
    subtype,
  } = typeof written === 'object' ? (Object(written) as Item) : { value: written }
  // A value of a chained list has no member `value` in v4.
  if (field.type === 'chained_list') return structureIn(value ?? written)
  const chosen = choice ?? choiceIn(value, field)
  if (chosen !== undefined) return { ...enumOf(chosen), ...(!isChoice(field) && { value: textIn(value) }) }
  const read = readers[field.type] ?? textIn
  return { value: read(value), ...(subtype !== undefined && enumOf(subtype)) }
}

const isChoice = ({ type }: Field): boolean =>
  type === 'select' || type === 'multiselect' || type === 'radiobutton'

/** The id of a choice that is written as a value. */
const choiceIn = (value: unknown, field: Field): unknown =>
  isChoice(field) && field.enumsById.has(numberIn(value) as number) ? value : undefined

/** A choice, or a part of an address, by its id; a label, or a part of an address, by its code: `WORK`. */
function enumOf(choice: unknown): object {
  const id = numberIn(choice)
  return typeof id === 'number' ? { enum_id: id } : { enum_code: id }
}

const readers: Partial<Record<FieldType, (value: unknown) => unknown>> = {
  checkbox: flagIn,
  date: dateIn,
  birthday: dateIn,
  date_time: dateIn,
  legal_entity: structureIn,
  items: structureIn,
  linked_entity: structureIn,
  payer: structureIn,
  supplier: structureIn,
  file: structureIn,
}

/**
 * Unix seconds, or `2026-11-23` or `23.11.2026`, with or without a time such as `09:30:00` or `09:30`, in UTC. A date with
 * a time becomes seconds, so that a value which is written back as it was read stays the same.
 */
function dateIn(value: unknown): unknown {
  if (typeof value !== 'string') return value
  const iso = value.trim().replace(/^(\d\d)\.(\d\d)\.(\d{4})/, '$3-$2-$1')
  const [, date, minutes, seconds = ':00'] = /^(\d{4}-\d\d-\d\d)(?: (\d\d:\d\d)(:\d\d)?)?$/.exec(iso) ?? []
  if (date === undefined) return numberIn(value)
  if (minutes === undefined) return date
  const text = `${date}T${minutes}${seconds}Z`
  const ms = Date.parse(text)
  return Number.isNaN(ms) ? text : ms / 1_000
}

/** Numbers among the members of structured values. Forms have them as text. */
const numbers = new Set([
  ...['entity_type', 'entity_id', 'catalog_id', 'catalog_element_id', 'product_id', 'file_size'],
  ...['quantity', 'unit_price', 'vat_rate_id', 'vat_rate_value', 'bonus_points_per_purchase'],
])

/**
 * A structured value, also if it is written as JSON. Other texts stay, so that validation refuses them. An empty member
 * is left out, because old clients send every member.
 */
function structureIn(value: unknown): unknown {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return Object.fromEntries(
      Object.entries(value)
        .filter(([, member]) => member !== '')
        .map(([name, member]) => [name, numbers.has(name) ? numberIn(member) : member]),
    )
  if (typeof value !== 'string') return value
  try {
    return parseJson(Buffer.from(value))
  } catch {
    return value
  }
}

/** A value of v4. */
type Value = Readonly<Record<string, unknown>>

export interface ShownField {
  field_id: number
  field_name: string
  field_code: string | null
  field_type: string
  values: readonly unknown[]
}

const dates = new Set(['date', 'birthday', 'date_time'])

/** `custom_fields_values` of v4 as `custom_fields`. */
export const shownFields = (values: readonly ShownField[] | null) =>
  (values ?? []).map(({ field_id, field_name, field_code, field_type, values }) => ({
    id: field_id,
    name: field_name,
    ...(field_code !== null && { code: field_code }),
    values: values.map((value) => shownValue(value as Value, field_type)),
  }))

function shownValue(whole: Value, type: string) {
  // A value of a chained list has no member `value`.
  const { value = whole, enum_id, enum_code } = whole
  const shown = typeof value === 'number' && dates.has(type) ? dateText(value) : value
  return {
    value: shownText(shown),
    ...(enum_id !== undefined && enum_id !== null && { enum: String(enum_id) }),
    ...(type === 'smart_address' && { subtype: enum_code }),
  }
}

/** Structured values are JSON. */
function shownText(value: unknown): string {
  if (typeof value === 'boolean') return value ? '1' : '0'
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
