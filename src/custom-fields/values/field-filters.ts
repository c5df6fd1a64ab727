import { Refusal } from '../../errors.ts'
import type { QueryValue } from '../../http/queries/bracket-query.ts'
import { valueKindOf } from '../fields/field-values.ts'
import type { Field, FieldSet } from '../fields/fields.ts'
import type { ValueKind } from '../fields/value-kinds.ts'
import type { FieldFilter } from './value-queries.ts'

const MAX_FILTERS = 20
const MAX_VALUES = 250

/** Reads `filter[custom_fields_values]`: `{<field id>: one value, several, or {from, to}}`. */
export function readFieldFilters(fields: FieldSet, filter: QueryValue | undefined): FieldFilter[] {
  if (filter === undefined) return []
  if (typeof filter === 'string') throw wrong('must name fields by their ids in brackets')
  const entries = Object.entries(filter)
  if (entries.length > MAX_FILTERS) throw wrong(`can name at most ${MAX_FILTERS} fields`)
  return entries.flatMap(([id, value]) => {
    const field = /^\d+$/.test(id) ? fields.byId.get(Number(id)) : undefined
    if (!field) throw wrong(`names an unknown field: ${id}`)
    return readFilter(field, value) ?? []
  })
}

/** Returns null for a range without ends, which is no condition. */
function readFilter(field: Field, value: QueryValue): FieldFilter | null {
  if (typeof value === 'object' && !Array.isArray(value) && ('from' in value || 'to' in value))
    return readRange(field, value)
  const kind = valueKindOf(field.type)
  const keys = [...new Set(listed(value).flatMap((text) => keysOf(kind, field, text)))]
  if (keys.length === 0) throw wrong(`has no value for the field ${field.id}`)
  if (keys.length > MAX_VALUES) throw wrong(`can have at most ${MAX_VALUES} values of a field`)
  return { field_id: field.id, keys, from: null, to: null }
}

function readRange(field: Field, { from, to }: { [end: string]: QueryValue }): FieldFilter | null {
  const kind = valueKindOf(field.type)
  if (!kind.isOrdered) throw wrong(`has a range for the field ${field.id}, whose type has no ranges`)
  const end = (value: QueryValue | undefined): string | null => {
    if (value === undefined || value === '') return null
    const key = typeof value === 'string' ? kind.filterKey(value, field) : undefined
    if (key === undefined) throw noValue(field)
    return key
  }
  const range = { from: end(from), to: end(to) }
  return range.from === null && range.to === null ? null : { field_id: field.id, keys: null, ...range }
}

const listed = (value: QueryValue): string[] =>
  typeof value === 'string' ? [value].filter(Boolean) : Object.values(value).flatMap(listed)

/** A text with a comma is one value if that is valid; otherwise it is a list. */
function keysOf(kind: ValueKind, field: Field, text: string): string[] {
  const whole = kind.filterKey(text.trim(), field)
  if (whole !== undefined) return [whole]
  const parts = text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
  if (parts.length < 2) throw noValue(field)
  return parts.flatMap((part) => keysOf(kind, field, part))
}

const wrong = (rule: string) => new Refusal('invalid', `filter[custom_fields_values] ${rule}.`)
const noValue = (field: Field) => wrong(`has an invalid value for the field ${field.id} (${field.type})`)
