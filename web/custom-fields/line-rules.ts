import type { CustomField } from '../data/fields.ts'
import { readNumber, writeNumber } from '../parts/numbers.ts'

/** What a line that was typed is taken for: the value to write, or what is wrong with it. */
export type Taken = { value: string } | { fault: 'value.not_number' | 'value.not_url' }

interface LineRule {
  most: number
  inputMode?: 'decimal' | 'url'
  take: (typed: string, locale: string) => Taken
  /** The stored value as the text that one edits; as it is stored where this is not said. */
  write?: (value: string, locale: string) => string
}

const asIs = (value: string): Taken => ({ value })

function takeNumber(typed: string, locale: string): Taken {
  const value = readNumber(typed, locale)
  return value === null ? { fault: 'value.not_number' } : { value }
}

const takeAddress = (value: string): Taken =>
  /^https?:\/\//i.test(value)
    ? URL.canParse(value)
      ? { value }
      : { fault: 'value.not_url' }
    : takeBare(value)
const takeBare = (value: string): Taken => (/^[^/?#]*:/.test(value) ? { fault: 'value.not_url' } : { value })

const number: LineRule = { most: 40, inputMode: 'decimal', take: takeNumber, write: writeNumber }
const line = (most: number): LineRule => ({ most, take: asIs })

/** The types that are one line of text. */
export const lineRules: Partial<Record<CustomField['type'], LineRule>> = {
  text: line(1_024),
  streetaddress: line(1_024),
  org_legal_name: line(1_024),
  tracking_data: line(4_096),
  numeric: number,
  monetary: number,
  price: number,
  url: { most: 2_048, inputMode: 'url', take: takeAddress },
}
