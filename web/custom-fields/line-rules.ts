import { readNumber, writeNumber } from '../parts/texts/numbers.ts'

/** The result of parsing a line: the value to write, or its fault. */
export type ParsedLine = { value: string } | { fault: 'value.not_number' | 'value.not_url' }

/** How a line is edited. */
export interface LineRule {
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

/** The rules of a text of one line, a number, and a web address. */
export const line = (most: number): LineRule => ({ most, parse: asIs })
export const decimal: LineRule = { most: 40, inputMode: 'decimal', parse: parseNumber, write: writeNumber }
export const webAddress: LineRule = { most: 2_048, inputMode: 'url', parse: parseAddress }
