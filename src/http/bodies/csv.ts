/** Spreadsheets read a file as UTF-8 if it begins with this mark. */
export const BYTE_ORDER_MARK = '\ufeff'

/**
 * The characters between cells. With semicolons, numbers have decimal commas: spreadsheets of most of Europe and Latin
 * America split a line only so, and read 12.5 as a date.
 */
export const delimiters = { comma: ',', semicolon: ';' } as const
export type Delimiter = keyof typeof delimiters

/** A row of a table as text (RFC 4180). Texts are quoted and their formulas escaped. Numbers are written unchanged. */
export const csvLine = (cells: readonly (string | number)[], delimiter: Delimiter = 'comma'): string =>
  `${cells
    .map((cell) =>
      typeof cell === 'number' ? decimalText(cell, delimiter) : quoted(escapedFormula(cell, delimiter)),
    )
    .join(delimiters[delimiter])}\r\n`

/** A number with the decimal mark that belongs to the delimiter. */
export const decimalText = (number: number | string, delimiter: Delimiter): string =>
  delimiter === 'semicolon' ? String(number).replace('.', ',') : String(number)

const quoted = (cell: string): string => `"${cell.replaceAll('"', '""')}"`

/** Characters at which some spreadsheet splits a line, besides the delimiter and the comma. */
const SPLITS = '|\\t\\n\\v\\f\\r\\u0085\\u2028\\u2029'
/** Characters that can precede a formula. */
const IGNORED = ' \\u00a0\\u2000-\\u200d\\u202f\\u3000\\ufeff"\''
const FORMULA = `[${IGNORED}]*[=+\\-@＝＋－＠]`

/**
 * A program that splits by the other delimiter begins a cell after it, even inside quotes. `beginnings` are the places of an
 * apostrophe, and `marked` those that have one.
 */
const patternsOf = (other: string, decimal: string) => ({
  beginnings: new RegExp(`(^|[${other}${SPLITS}])(?=${FORMULA})`, 'g'),
  marked: new RegExp(`(^|[${other}${SPLITS}])'(?=${FORMULA})`, 'g'),
  aNumber: new RegExp(`^[+-]?\\d+([${decimal}]\\d+)?$`),
})
const patterns = { comma: patternsOf(';', '.'), semicolon: patternsOf(',;', '.,') }

/**
 * Escapes formulas with an apostrophe, so that no spreadsheet runs a part of the text, wherever it splits the line.
 * Numbers such as -5 are unchanged.
 */
export function escapedFormula(text: string, delimiter: Delimiter = 'comma'): string {
  const { aNumber, beginnings } = patterns[delimiter]
  return aNumber.test(text) ? text : text.replace(beginnings, "$1'")
}

/** Reverts escapedFormula. */
export const unescapedFormula = (text: string, delimiter: Delimiter = 'comma'): string =>
  text.replace(patterns[delimiter].marked, '$1')
