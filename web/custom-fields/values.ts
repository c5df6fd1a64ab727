import type { CustomField } from '../data/fields.ts'
import type { AnyRecord } from '../data/records.ts'

/** A value as it comes and goes on the wire. */
export type WireValue = Readonly<Record<string, unknown>>
/** What a field of a record holds; undefined for nothing. */
export type Values = readonly WireValue[] | undefined

/** What of a field its values are shown by. */
export type FieldOfValue = Pick<CustomField, 'id' | 'type' | 'code' | 'enums' | 'currency' | 'nested'>

/** What a record has in a field. */
export const valuesIn = (record: Pick<AnyRecord, 'custom_fields_values'>, field_id: number): Values =>
  record.custom_fields_values?.find((entry) => entry.field_id === field_id)?.values

/** The texts under `value`, of the types whose values are no more than that. */
export const textsOf = (values: Values): string[] =>
  (values ?? []).flatMap(({ value }) => (value === null || value === undefined ? [] : [String(value)]))

const DAY = 86_400

/**
 * The day of a time as `2026-03-01`. A day that was written without an hour is its midnight in UTC, and the same day for
 * everybody; services also write the midnight of where they are.
 */
export function dayOf(seconds: number): string {
  const at = new Date(seconds * 1000)
  if (seconds % DAY === 0) return at.toISOString().slice(0, 10)
  const two = (number: number) => String(number).padStart(2, '0')
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
}

/** Its midnight in UTC. */
export const secondsOfDay = (day: string): number => Date.parse(`${day}T00:00:00Z`) / 1000

export const digitsOf = (phone: string): string => phone.replace(/[^\d+]/g, '')

/** Where a text of a field leads, if a browser may go there. */
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
