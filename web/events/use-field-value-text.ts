import { useQuery } from '@tanstack/react-query'
import { type FieldType, fieldTypeOf } from '../../src/custom-fields/fields/field-types.ts'
import type { Changes } from '../../src/events/change-schemas.ts'
import { useFieldText } from '../custom-fields/use-field-text.ts'
import { accountOptions } from '../data/accounts.ts'
import type { LogEvent } from '../data/events.ts'
import { useChangedField } from './event-text.ts'

type ListedValue = Changes['custom_field_value']['custom_field_value']

/** Types whose texts in events are not for people, with the value that such a text stands for. */
const written: { [Type in FieldType]?: (text: string) => unknown } = {
  numeric: (text) => text,
  price: (text) => text,
  monetary: (text) => text,
  checkbox: (text) => text === '1',
  date: Number,
  birthday: Number,
  date_time: Number,
}

/** Returns a function that formats a value of a custom field in an event as its card does; undefined while it loads. */
export function useFieldValueText(event: LogEvent): (value: ListedValue) => string | undefined {
  const fieldText = useFieldText()
  const { data: account } = useQuery(accountOptions)
  const { field, isLoading } = useChangedField(event)
  return ({ field_id, field_type, text }) => {
    const type = fieldTypeOf(field_type)
    const read = type && written[type]
    if (!type || !read) return text
    // The currency is the field's, or the account's.
    const isMoney = type === 'monetary' || type === 'price'
    if (isMoney && (isLoading || !account)) return undefined
    const { code = null, enums = null, nested = null, currency = null } = field ?? {}
    return fieldText({ id: field_id, type, code, enums, nested, currency }, [{ value: read(text) }])
  }
}
