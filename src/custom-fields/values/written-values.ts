import { isDeepStrictEqual } from 'node:util'
import { type Static, Type } from 'typebox'
import { type FaultCode, MAX_FAULTS, notAChoice } from '../../errors.ts'
import { publishedAs } from '../../http/published.ts'
import { typeOf } from '../fields/field-types.ts'
import { valueKindOf } from '../fields/field-values.ts'
import type { Field, FieldSet } from '../fields/fields.ts'
import type { StoredValue, WireValue } from '../fields/value-kinds.ts'
import { publishedWrittenValue } from './published-values.ts'

/** The most values in a body per record, and the most per field. */
const MOST = 250

/** The type of the field validates the members of a value. */
const Value = publishedAs(Type.Unsafe<WireValue>({ type: 'object' }), publishedWrittenValue)

const Entry = Type.Object(
  {
    field_id: Type.Optional(
      Type.Unsafe<number | null>({
        type: ['integer', 'null'],
        description: 'The id of the field. An entry has `field_id` or `field_code`.',
      }),
    ),
    field_code: Type.Optional(
      Type.Unsafe<string | null>({
        type: ['string', 'null'],
        maxLength: 255,
        description: 'The code of a predefined field, such as `PHONE`.',
      }),
    ),
    values: Type.Unsafe<WireValue[] | null>({
      type: ['array', 'null'],
      items: Value,
      maxItems: MOST,
      description: 'An array, even for one value. `[]` and null clear the field.',
    }),
  },
  { title: 'WrittenFieldValues' },
)

/** `custom_fields_values` in request bodies. The type of the field validates the entries of `values`. */
export const WrittenValues = Type.Unsafe<Static<typeof Entry>[] | null>({
  type: ['array', 'null'],
  items: Entry,
  maxItems: MOST,
  description:
    'Fields without an entry do not change. Null changes nothing. The fields of a record have at most 1,000 values with ' +
    '262,144 letters in all.',
})
export type WrittenValues = Static<typeof WrittenValues>

/** By field id as text; only fields with values. */
export type StoredValues = Record<string, StoredValue[]>

export type PushFault = (code: FaultCode, path: string, detail: string) => void

const LOCKED = 'The values of this field can be changed only by the service that owns it.'

/**
 * Parses the written values by field; [] clears. Faults have paths such as `custom_fields_values.0.values.0.value`.
 * Entries after the hundredth fault are skipped. `by_person` rejects fields that only services can write (F2).
 */
export function readWritten(
  fields: FieldSet,
  written: WrittenValues,
  { by_person }: { by_person: boolean },
  pushFault: PushFault,
): Map<number, StoredValue[]> {
  const changes = new Map<number, StoredValue[]>()
  let faults = 0
  const fault: PushFault = (...what) => {
    faults++
    pushFault(...what)
  }
  written?.forEach((entry, i) => {
    if (faults >= MAX_FAULTS) return
    const at = `custom_fields_values.${i}`
    const name = entry.field_id == null && entry.field_code != null ? 'field_code' : 'field_id'
    const field =
      name === 'field_id'
        ? fields.byId.get(entry.field_id as number)
        : fields.byCode.get(entry.field_code as string)
    if (entry.field_id == null && entry.field_code == null)
      fault('FieldMissing', `${at}.field_id`, 'This field is missing.')
    else if (!field)
      fault(
        'NotSupportedChoice',
        `${at}.${name}`,
        name === 'field_id' ? notAChoice(fields.byId) : notAChoice(fields.byCode),
      )
    else if (by_person && (field.is_api_only || field.is_disabled))
      fault('NotSupportedChoice', `${at}.${name}`, LOCKED)
    else if (changes.has(field.id)) fault('NotUnique', `${at}.${name}`, 'The record has this field twice.')
    else
      changes.set(
        field.id,
        readValues(field, entry.values ?? [], (code, path, detail) =>
          fault(code, `${at}.values${path && `.${path}`}`, detail),
        ),
      )
  })
  return changes
}

function readValues(field: Field, written: WireValue[], fault: PushFault): StoredValue[] {
  const { most } = typeOf(field.type)
  const kind = valueKindOf(field.type)
  if (written.length > most) {
    fault('TooMany', '', `This collection should contain ${most} elements or less.`)
    return []
  }
  const read = written.flatMap((value, i) => {
    const stored = kind.read(value, field, (code, path, detail) =>
      fault(code, [i, path].filter((part) => part !== '').join('.'), detail),
    )
    return stored === undefined ? [] : [stored]
  })
  return kind.isSet ? [...new Map(read.map((value) => [JSON.stringify(value), value])).values()] : read
}

/**
 * Returns the values after a change; does not modify its arguments. Equal values stay as they are stored: their members can
 * be written in another order.
 */
export function withChanges(stored: StoredValues, changes: Map<number, StoredValue[]>): StoredValues {
  const after = { ...stored }
  for (const [id, values] of changes) {
    if (values.length === 0) delete after[id]
    else if (!isDeepStrictEqual(values, stored[id])) after[id] = values
  }
  return after
}
