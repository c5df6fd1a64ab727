import type { Field, FieldSet, FieldType } from '../custom-fields/custom-fields.ts'
import { parseJson } from '../http/bodies/json-body.ts'
import { dateText } from '../webhooks/webhooks.ts'
import { flagIn, type Item, listIn, numberIn, textIn } from './members.ts'

/** Values of custom fields in the legacy form, in both directions (docs/wire/legacy.md#values-of-fields). */

/** `custom_fields` of an item as `custom_fields_values` of v4. What is unreadable stays, so that validation refuses it. */
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
  return { value: read(value), ...(subtype !== undefined && { enum_code: subtype }) }
}

const isChoice = ({ type }: Field): boolean =>
  type === 'select' || type === 'multiselect' || type === 'radiobutton'

/** The id of a choice that is written as a value. */
const choiceIn = (value: unknown, field: Field): unknown =>
  isChoice(field) && field.enumsById.has(numberIn(value) as number) ? value : undefined

/** A choice by its id, or a label by its code: `WORK`. */
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
 * Unix seconds, `2026-11-23 09:30:00`, `2026-11-23` or `23.11.2026`, in UTC. A date with a time becomes seconds, so that a
 * value which is written back as it was read stays the same.
 */
function dateIn(value: unknown): unknown {
  if (typeof value !== 'string') return value
  const [, day, month, year] = /^(\d\d)\.(\d\d)\.(\d{4})$/.exec(value.trim()) ?? []
  if (year) return `${year}-${month}-${day}`
  if (!/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(value)) return numberIn(value)
  const text = `${value.replace(' ', 'T')}Z`
  const ms = Date.parse(text)
  return Number.isNaN(ms) ? text : ms / 1_000
}

/** A structured value, also if it is written as JSON. Other texts stay, so that validation refuses them. */
function structureIn(value: unknown): unknown {
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
