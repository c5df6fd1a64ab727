import type { CustomField } from '../data/fields.ts'
import { readNumber, writeNumber } from '../parts/numbers.ts'

/** The result of parsing a line: the value to write, or its fault. */
export type ParsedLine = { value: string } | { fault: 'value.not_number' | 'value.not_url' }

interface LineRule {
  most: number
  inputMode?: 'decimal' | 'url'
  parse: (typed: string, locale: string) => ParsedLine
  /** Converts the stored value to editable text; by default unchanged. */
  write?: (value: string, locale: string) => string
}

const asIs = (value: string): ParsedLine => ({ value })

function parseNumber(typed: string, locale: string): ParsedLine {
  const value = readNumber(typed, locale)
  return value === null ? { fault: 'value.not_number' } : { value }
}

const parseAddress = (value: string): ParsedLine =>
  /^https?:\/\//i.test(value)
    ? URL.canParse(value)
      ? { value }
      : { fault: 'value.not_url' }
    : parseBareAddress(value)
const parseBareAddress = (value: string): ParsedLine =>
  /^[^/?#]*:/.test(value) ? { fault: 'value.not_url' } : { value }

const number: LineRule = { most: 40, inputMode: 'decimal', parse: parseNumber, write: writeNumber }
const line = (most: number): LineRule => ({ most, parse: asIs })

/** The types that are one line of text. */
export const lineRules: Partial<Record<CustomField['type'], LineRule>> = {
  text: line(1_024),
  streetaddress: line(1_024),
  org_legal_name: line(1_024),
  tracking_data: line(4_096),
  numeric: number,
  monetary: number,
  price: number,
  url: { most: 2_048, inputMode: 'url', parse: parseAddress },
}
