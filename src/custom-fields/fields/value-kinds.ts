import type { TSchema } from 'typebox'
import { type FaultCode, notAChoice } from '../../errors.ts'
import type { TableTimes } from '../../http/bodies/table-times.ts'
import { LAST_SECOND, unixSeconds } from '../../http/times.ts'
import { numberKey, phoneDigits, phoneKey, textKey } from './field-keys.ts'
import type { FieldEnum } from './fields.ts'
import { Choice, Decimal, Flag, Labelled, Moment, Text } from './value-schemas.ts'

/** A stored value: compact, and specific to the kind of its type. */
export type StoredValue =
  | string
  | number
  | boolean
  | readonly [text: string, enum_id: number]
  | Readonly<Record<string, unknown>>

/** A value on the wire. */
export type WireValue = Readonly<Record<string, unknown>>

/** Adds a fault; `path` is relative to the value. */
export type AddFault = (code: FaultCode, path: string, detail: string) => void

/** The choices of a field; a Field is one. */
export interface Offer {
  /** In display order. */
  enums: readonly FieldEnum[]
  enumsById: ReadonlyMap<number, FieldEnum>
  /** The first choice of each value, and of each code. */
  enumsByValue: ReadonlyMap<string, FieldEnum>
  enumsByCode: ReadonlyMap<string, FieldEnum>
}

/** Indexes the choices, because a batch can name one in each of thousands of values. */
export const offerOf = (enums: readonly FieldEnum[]): Offer => ({
  enums,
  enumsById: new Map(enums.map((one) => [one.id, one])),
  enumsByValue: firstBy(enums, ({ value }) => value),
  enumsByCode: firstBy(enums, ({ code }) => code),
})

function firstBy(enums: readonly FieldEnum[], name: (one: FieldEnum) => string | null) {
  const first = new Map<string, FieldEnum>()
  for (const one of enums) {
    const key = name(one)
    if (key !== null && !first.has(key)) first.set(key, one)
  }
  return first
}

/** How values of a type are parsed, stored, rendered and searched. */
export interface ValueKind<S extends StoredValue = StoredValue> {
  /** One value in a response. */
  published: TSchema
  /** undefined for an empty value, and after a fault. */
  read(written: WireValue, field: Offer, addFault: AddFault): S | undefined
  /** undefined if the choice of the value was deleted. */
  show(stored: S, field: Offer): WireValue | undefined
  /** Human-readable text for the log. */
  text(stored: S, field: Offer): string
  /** The text for a table cell, if it differs. */
  cell?(stored: S, times: TableTimes): string
  /** The id of the choice. */
  enumOf?(stored: S): number
  /** At least one key, so that every record with a value is found. */
  keys(stored: S): string[]
  /** The key of a filter value; undefined if no value can match it. */
  filterKey(text: string, field: Offer): string | undefined
  /** Whether filters can use a range. */
  isOrdered: boolean
  /** Whether duplicates among several values are removed. */
  isSet: boolean
  /** Words for the text search. */
  words(stored: S): string[]
}

const plain = { isOrdered: false, isSet: false, words: () => [] }

/** Reads a text member; undefined if it is missing or blank, and after a fault. */
function readText(written: WireValue, name: string, most: number, addFault: AddFault): string | undefined {
  const value = written[name]
  if (value === undefined) addFault('FieldMissing', name, 'This field is missing.')
  else if (value === null) addFault('NotNullable', name, 'This value should not be null.')
  else if (typeof value !== 'string') addFault('InvalidType', name, 'This value should be of type string.')
  else if (value.length > most)
    addFault('TooLong', name, `This value is too long. It should have ${most} characters or less.`)
  else if (value.trim() !== '') return value
  return undefined
}

export function text(most: number): ValueKind<string> {
  return {
    ...plain,
    published: Text,
    read: (written, _field, addFault) => readText(written, 'value', most, addFault),
    show: (value) => ({ value }),
    text: (value) => value,
    keys: (value) => [textKey(value)],
    filterKey: textKey,
    words: (value) => [value],
  }
}

/** A web address. Other schemes could run code when somebody opens the value. */
export function url(most: number): ValueKind<string> {
  const texts = text(most)
  return {
    ...texts,
    read(written, field, addFault) {
      const value = texts.read(written, field, addFault)
      if (value === undefined || isWebAddress(value)) return value
      addFault('InvalidFormat', 'value', 'This value is not a valid URL.')
      return undefined
    },
  }
}

/** Accepts http and https, and addresses without a scheme. */
const isWebAddress = (value: string): boolean =>
  /^https?:\/\//i.test(value) ? URL.canParse(value) : !/^[^/?#]*:/.test(value)

const WRONG_NUMBER = 'This value should be a number with at most 15 digits, such as 12.5.'

/** Numbers are stored and shown as decimal text: 0.10 becomes 0.1. */
export const decimal: ValueKind<string> = {
  ...plain,
  published: Decimal,
  isOrdered: true,
  read({ value }, _field, addFault) {
    if (value === '') return undefined
    if (value === undefined) addFault('FieldMissing', 'value', 'This field is missing.')
    else if (value === null) addFault('NotNullable', 'value', 'This value should not be null.')
    else if (typeof value !== 'string' && typeof value !== 'number')
      addFault('InvalidType', 'value', 'This value should be of type numeric.')
    else {
      const digits = decimalText(value)
      if (digits !== undefined) return digits
      addFault('InvalidFormat', 'value', WRONG_NUMBER)
    }
    return undefined
  },
  show: (value) => ({ value }),
  text: (value) => value,
  keys: (value) => [numberKey(Number(value))],
  filterKey: (text) => {
    const digits = decimalText(text)
    return digits === undefined ? undefined : numberKey(Number(digits))
  },
}

/**
 * A fraction as it was meant: a binary number has 15 exact digits, so clients that calculate send 0.30000000000000004 for
 * 0.3.
 */
const meantFraction = (value: number): number =>
  Number.isInteger(value) ? value : Number(value.toPrecision(15))

/** A number as its shortest decimal text; undefined if it is not a number or has more than 15 digits. */
export function decimalText(given: string | number): string | undefined {
  const value = typeof given === 'number' ? meantFraction(given) : given
  const written = String(value).trim()
  // Only numbers with very many digits are written with an exponent.
  const text = typeof value === 'number' && written.includes('e-') ? value.toFixed(15) : written
  const [, sign, whole, fraction = ''] = /^([+-]?)0*(\d{1,15})(?:\.(\d{1,30}))?$/.exec(text) ?? []
  if (whole === undefined) return undefined
  const rest = fraction.replace(/0+$/, '')
  const digits = `${whole}${rest}`.replace(/^0+/, '')
  if (digits.length > 15 || rest.length > 15) return undefined
  if (text !== written && Number(text) !== value) return undefined
  return `${sign === '-' && digits !== '' ? '-' : ''}${whole}${rest && `.${rest}`}`
}

export const flag: ValueKind<boolean> = {
  ...plain,
  published: Flag,
  read({ value }, _field, addFault) {
    if (typeof value === 'boolean') return value
    if (value === undefined) addFault('FieldMissing', 'value', 'This field is missing.')
    else if (value === null) addFault('NotNullable', 'value', 'This value should not be null.')
    else addFault('InvalidType', 'value', 'This value should be of type bool.')
    return undefined
  },
  show: (value) => ({ value }),
  text: (value) => (value ? '1' : '0'),
  keys: (value) => [value ? '1' : '0'],
  filterKey: (text) => flagKeys[text.trim().toLowerCase()],
}

const flagKeys: Record<string, string | undefined> = Object.assign(Object.create(null), {
  1: '1',
  true: '1',
  0: '0',
  false: '0',
})

const WRONG_TIME =
  'This value should be Unix seconds, a date such as 2026-12-01, or a time with its zone such as 2026-12-01T10:00:00Z.'

/** The years 1 to 9999. */
const FIRST_SECOND = -62_135_596_800

/** Unix seconds. */
export const moment: ValueKind<number> = {
  ...plain,
  published: Moment,
  isOrdered: true,
  read({ value }, _field, addFault) {
    if (value === '') return undefined
    if (value === undefined) addFault('FieldMissing', 'value', 'This field is missing.')
    else if (value === null) addFault('NotNullable', 'value', 'This value should not be null.')
    else if (typeof value === 'string') {
      const seconds = secondsOf(value)
      if (seconds !== undefined) return seconds
      addFault('InvalidFormat', 'value', WRONG_TIME)
    } else if (typeof value !== 'number')
      addFault('InvalidType', 'value', 'This value should be of type int.')
    else {
      const seconds = unixSeconds(value)
      if (seconds >= FIRST_SECOND && seconds <= LAST_SECOND) return seconds
      addFault('OutOfRange', 'value', 'This value should be a time in the years 1 to 9999.')
    }
    return undefined
  },
  show: (value) => ({ value }),
  // The wire format: the log does not know the time zone of its reader.
  text: String,
  cell: (value, times) => times.text(value),
  keys: (value) => [numberKey(value)],
  filterKey: (text) => {
    const isNumber = /^-?\d{1,15}(\.\d{1,20})?$/.test(text.trim())
    const seconds = isNumber ? unixSeconds(Number(text)) : secondsOf(text.trim())
    return seconds === undefined ? undefined : numberKey(seconds)
  },
}

/** A date without time: its midnight in UTC. A text with a time and a zone means the day that it begins with (F6). */
export const day: ValueKind<number> = {
  ...moment,
  read: (written, field, addFault) =>
    moment.read({ ...written, value: withoutTime(written.value) }, field, addFault),
  filterKey: (text, field) => moment.filterKey(String(withoutTime(text.trim())), field),
  cell: (value) => isoText(value).slice(0, 10),
}

const withoutTime = (value: unknown): unknown =>
  typeof value === 'string' && secondsOf(value) !== undefined ? value.slice(0, 10) : value

const isoText = (seconds: number): string => new Date(seconds * 1_000).toISOString()

/** Parses an RFC 3339 date, or a date with time and zone, into Unix seconds. A date is its midnight in UTC. */
function secondsOf(text: string): number | undefined {
  const [, date, time] =
    /^(\d{4}-\d\d-\d\d)([Tt ]\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:[Zz]|[+-]\d\d:\d\d))?$/.exec(text) ?? []
  if (!date || !isDay(date)) return undefined
  const seconds = Math.floor(Date.parse(time ? text.toUpperCase().replace(' ', 'T') : date) / 1000)
  return seconds >= FIRST_SECOND && seconds <= LAST_SECOND ? seconds : undefined
}

/** Rejects days such as 30 February, which Date.parse reads as a day in March. */
function isDay(date: string): boolean {
  const midnight = new Date(`${date}T00:00:00Z`)
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(date)
}

/** A choice of the field, stored by its id. */
export const choice: ValueKind<number> = {
  ...plain,
  published: Choice,
  isSet: true,
  read(written, field, addFault) {
    const named = enumNamed(written, field, addFault)
    if (named !== 'none') return named?.id
    const { value } = written
    if (value === '') return undefined
    const found = typeof value === 'string' ? field.enumsByValue.get(value.trim()) : undefined
    if (found) return found.id
    if (value === undefined) addFault('FieldMissing', 'value', 'This field is missing.')
    else if (value === null) addFault('NotNullable', 'value', 'This value should not be null.')
    else if (typeof value !== 'string')
      addFault('InvalidType', 'value', 'This value should be of type string.')
    else
      addFault(
        'NotSupportedChoice',
        'value',
        notAChoice(field.enums, ({ value }) => value),
      )
    return undefined
  },
  show(id, { enumsById }) {
    const found = enumsById.get(id)
    return found && { value: found.value, enum_id: id, enum_code: found.code }
  },
  text: (id, { enumsById }) => enumsById.get(id)?.value ?? '',
  enumOf: (id) => id,
  keys: (id) => [enumKey(id)],
  filterKey(text, { enumsById, enumsByCode, enumsByValue }) {
    const found = enumsById.get(Number(text)) ?? enumsByCode.get(text) ?? enumsByValue.get(text)
    return found && enumKey(found.id)
  },
}

export const enumKey = (id: number): string => String(id)

/** Finds the choice by `enum_id` or `enum_code`; 'none' if neither is present. */
function enumNamed(
  { enum_id, enum_code }: WireValue,
  { enumsById, enumsByCode }: Offer,
  addFault: AddFault,
): FieldEnum | undefined | 'none' {
  if (enum_id !== undefined && enum_id !== null) {
    const found = enumsById.get(enum_id as number)
    if (!Number.isInteger(enum_id)) addFault('InvalidType', 'enum_id', 'This value should be of type int.')
    else if (!found) addFault('NotSupportedChoice', 'enum_id', notAChoice(enumsById))
    return found
  }
  if (enum_code === undefined || enum_code === null) return 'none'
  const found = enumsByCode.get(enum_code as string)
  if (typeof enum_code !== 'string')
    addFault('InvalidType', 'enum_code', 'This value should be of type string.')
  else if (!found) addFault('NotSupportedChoice', 'enum_code', notAChoice(enumsByCode))
  return found
}

/** A text with a label, such as a work telephone number. `offer` is set if all fields have the same labels. */
export function labelled(most: number, offer?: Offer): ValueKind<readonly [string, number]> {
  return {
    ...plain,
    published: Labelled,
    isSet: true,
    read(written, field, addFault) {
      const value = readText(written, 'value', most, addFault)
      if (value === undefined) return undefined
      const named = enumNamed(written, offer ?? field, addFault)
      // Many clients send telephone numbers without a label; a part of an address needs its name.
      const label = named === 'none' && !offer ? field.enums[0] : named
      if (label === 'none') addFault('FieldMissing', 'enum_code', 'This field is missing.')
      return label === undefined || label === 'none' ? undefined : [value, label.id]
    },
    // A telephone number is still shown when its label was deleted.
    show([value, id], field) {
      const { enums, enumsById } = offer ?? field
      const label = enumsById.get(id) ?? enums.at(-1)
      return { value, enum_id: label?.id ?? null, enum_code: label?.code ?? null }
    },
    text: ([value]) => value,
    enumOf: ([, id]) => id,
    keys: ([value]) => [
      ...new Set([phoneDigits(value) ?? textKey(value), phoneKey(value) ?? textKey(value)]),
    ],
    filterKey: (text) => phoneDigits(text) ?? textKey(text),
    words: ([value]) => [value, ...(phoneDigits(value) ? [phoneDigits(value) as string] : [])],
  }
}
