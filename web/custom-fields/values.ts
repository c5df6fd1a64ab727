import type { CustomField } from '../data/fields.ts'
import type { AnyRecord } from '../data/records.ts'

/** A value in the format of the API. */
export type WireValue = Readonly<Record<string, unknown>>
/** The values of a field; undefined if there are none. */
export type Values = readonly WireValue[] | undefined

/** The properties of a field that formatting needs. */
export type FieldOfValue = Pick<CustomField, 'id' | 'type' | 'code' | 'enums' | 'currency' | 'nested'>

/** Returns the values that a record has in a field. */
export const valuesIn = (record: Pick<AnyRecord, 'custom_fields_values'>, field_id: number): Values =>
  record.custom_fields_values?.find((entry) => entry.field_id === field_id)?.values

/** Returns the texts of values that are plain text. */
export const textsOf = (values: Values): string[] =>
  (values ?? []).flatMap(({ value }) => (value === null || value === undefined ? [] : [String(value)]))

const DAY = 86_400

/**
 * Returns the day of a time as `2026-03-01`. A day without a time is stored as its midnight in UTC; services also
 * store the midnight of their own time zone.
 */
export function dayOf(seconds: number): string {
  const at = new Date(seconds * 1000)
  if (seconds % DAY === 0) return at.toISOString().slice(0, 10)
  const two = (number: number) => String(number).padStart(2, '0')
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
}

/** Returns midnight of the day in UTC. */
export const secondsOfDay = (day: string): number => Date.parse(`${day}T00:00:00Z`) / 1000

export const digitsOf = (phone: string): string => phone.replace(/[^\d+]/g, '')

/** Returns the link of a field's text, if it is safe to open. */
export function hrefOf(
  { type, code }: Pick<FieldOfValue, 'type' | 'code'>,
  text: string,
): string | undefined {
  if (type === 'url') {
    const href = /^[a-z][a-z\d+.-]*:/i.test(text) ? text : `https://${text}`
    const parsed = URL.parse(href)
    return parsed && /^https?:$/.test(parsed.protocol) ? parsed.href : undefined
  }
  if (type !== 'multitext') return undefined
  if (code === 'EMAIL') return /^[^\s@?&]+@[^\s@?&]+$/.test(text) ? `mailto:${text}` : undefined
  return /^[+(]?\d[\d\s().+-]{3,}$/.test(text) ? `tel:${digitsOf(text)}` : undefined
}
