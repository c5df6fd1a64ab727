import type { FieldType } from '../fields/field-types.ts'
import { valueKindOf } from '../fields/field-values.ts'
import type { FieldSet } from '../fields/fields.ts'
import type { WireValue } from '../fields/value-kinds.ts'
import type { StoredValues } from './written-values.ts'

/** The values of a field in a webhook. */
export interface WebhookField {
  readonly [member: string]: unknown
  readonly id: number
  readonly name: string
  readonly values: readonly unknown[]
  /** Only if the field has a code. */
  readonly code?: string
}

/** The form of a value, by the type of its field; the others are `value`, with `enum` if it is a choice. */
const forms: Partial<Record<FieldType, (value: WireValue) => unknown>> = {
  date: ({ value }) => value,
  date_time: ({ value }) => value,
  birthday: ({ value }) => ({ value: dayText(value as number) }),
  chained_list: (value) => value,
}

const usual = ({ value, enum_id }: WireValue): unknown =>
  enum_id === undefined || enum_id === null ? { value } : { value, enum: enum_id }

/** The fields with values as webhooks send them (docs/wire/webhooks.md#fields), in the order of the fields. */
export function webhookFields(fields: FieldSet, stored: StoredValues): WebhookField[] {
  if (Object.keys(stored).length === 0) return []
  return fields.list.flatMap((field): WebhookField[] => {
    const kind = valueKindOf(field.type)
    const form = forms[field.type] ?? usual
    const values = (stored[field.id] ?? []).flatMap((value) => {
      const shown = kind.show(value, field)
      return shown ? [form(shown)] : []
    })
    const { id, name, code } = field
    return values.length > 0 ? [{ id, name, values, ...(code !== null && { code }) }] : []
  })
}

/** A date as `DD.MM.YYYY`. */
const dayText = (seconds: number): string =>
  new Date(seconds * 1000).toISOString().slice(0, 10).split('-').reverse().join('.')
