import { isDeepStrictEqual } from 'node:util'
import { Type } from 'typebox'
import type { TableTimes } from '../../http/bodies/table-times.ts'
import { publishedAs } from '../../http/published.ts'
import { typeOf } from '../fields/field-types.ts'
import { valueKindOf } from '../fields/field-values.ts'
import type { Field, FieldSet, Stage } from '../fields/fields.ts'
import type { StoredValue, WireValue } from '../fields/value-kinds.ts'
import { publishedValues } from './published-values.ts'
import type { PushFault, StoredValues } from './written-values.ts'

export interface ShownValue {
  field_id: number
  field_name: string
  field_code: string | null
  field_type: string
  values: WireValue[]
}

/** `custom_fields_values` in responses. */
export const ShownValues = Type.Unsafe<ShownValue[] | null>({
  type: ['array', 'null'],
  items: publishedAs(
    Type.Object({
      field_id: Type.Integer(),
      field_name: Type.String(),
      field_code: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
      field_type: Type.String(),
      values: Type.Array(Type.Unsafe<WireValue>({})),
    }),
    publishedValues,
  ),
  description: 'The fields that have values. Null: there are none.',
})
export type ShownValues = ShownValue[] | null

export function parseStored(text: string | null): StoredValues {
  return text === null ? {} : JSON.parse(text)
}

/** The fields with values, in the order of the fields. Values of deleted fields are skipped. */
function valuesOf(fields: FieldSet, stored: StoredValues): [Field, StoredValue[]][] {
  const ids = Object.keys(stored)
  if (ids.length === 0) return []
  return fields.list.flatMap((field): [Field, StoredValue[]][] => {
    const values = stored[field.id]
    return values ? [[field, values]] : []
  })
}

/** The wire format in the order of the fields; null if there are no values. */
export function showValues(fields: FieldSet, stored: StoredValues): ShownValues {
  const shown = valuesOf(fields, stored).flatMap(([field, stored_values]): ShownValue[] => {
    const kind = valueKindOf(field.type)
    const values = stored_values
      .map((value) => kind.show(value, field))
      .filter((value) => value !== undefined)
    if (values.length === 0) return []
    const { id, name, code, type } = field
    return [{ field_id: id, field_name: name, field_code: code, field_type: type, values }]
  })
  return shown.length > 0 ? shown : null
}

/** The values of each field as one text, for a table cell. */
export function fieldTexts(fields: FieldSet, stored: StoredValues, times: TableTimes): Map<number, string> {
  return new Map(
    valuesOf(fields, stored).map(([field, values]) => {
      const kind = valueKindOf(field.type)
      const texts = values
        .map((value) => kind.cell?.(value, times) ?? kind.text(value, field))
        .filter(Boolean)
      return [field.id, texts.join('; ')]
    }),
  )
}

/** A value in an event. */
export interface ListedValue {
  custom_field_value: { field_id: number; field_type: number; enum_id: number | null; text: string }
}

/**
 * Fields whose values differ, each with all values before and after, as events list them (E2). A field that had only deleted
 * choices and was cleared has no difference.
 */
export function changedFields(
  fields: FieldSet,
  before: StoredValues,
  after: StoredValues,
): { field: Field; before: ListedValue[]; after: ListedValue[] }[] {
  const ids = new Set([...Object.keys(before), ...Object.keys(after)])
  if (ids.size === 0) return []
  return fields.list
    .filter(({ id }) => ids.has(String(id)) && !isDeepStrictEqual(before[id] ?? [], after[id] ?? []))
    .map((field) => ({
      field,
      before: listed(field, before[field.id]),
      after: listed(field, after[field.id]),
    }))
    .filter(({ before, after }) => before.length > 0 || after.length > 0)
}

function listed(field: Field, values: StoredValue[] = []): ListedValue[] {
  const kind = valueKindOf(field.type)
  // A deleted choice can still be stored; events do not show it as a previous value.
  const known = values.filter((value) => kind.show(value, field) !== undefined)
  return known.map((value) => ({
    custom_field_value: {
      field_id: field.id,
      field_type: typeOf(field.type).number,
      enum_id: kind.enumOf?.(value) ?? null,
      text: kind.text(value, field),
    },
  }))
}

/** Adds a fault for each field that is required, always or in this stage, and has no value. */
export function requireFilled(
  fields: FieldSet,
  stored: StoredValues,
  stage: Stage | null,
  fault: PushFault,
): void {
  for (const field of fields.list) {
    if (stored[field.id] || !isRequired(field, stage)) continue
    fault('FieldMissing', 'custom_fields_values', `The field ${field.name} (${field.id}) is required here.`)
  }
}

/** A new element cannot wait for a service to fill a field that only services can write. */
const isRequired = ({ settings, is_api_only, is_disabled }: Field, stage: Stage | null): boolean =>
  (settings.is_required === true && !is_api_only && !is_disabled) ||
  (stage !== null &&
    (settings.required_statuses ?? []).some(
      ({ pipeline_id, status_id }) => pipeline_id === stage.pipeline_id && status_id === stage.status_id,
    ))

/** Texts that the search indexes for the record. */
export function searchTexts(fields: FieldSet, stored: StoredValues): string[] {
  return valuesOf(fields, stored).flatMap(([field, values]) => {
    const kind = valueKindOf(field.type)
    return values.flatMap((value) => kind.words(value))
  })
}
