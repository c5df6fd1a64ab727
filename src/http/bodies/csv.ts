/** Spreadsheets read a file as UTF-8 if it begins with this mark. */
export const BYTE_ORDER_MARK = '\ufeff'

/** A row of a table as text (RFC 4180). Texts are quoted and their formulas escaped. Numbers are written unchanged. */
export const csvLine = (cells: readonly (string | number)[]): string =>
  `${cells.map((cell) => (typeof cell === 'number' ? cell : quoted(escapedFormula(cell)))).join(',')}\r\n`

const quoted = (cell: string): string => `"${cell.replaceAll('"', '""')}"`

/**
 * Characters other than the comma at which some spreadsheet splits a line. The text after them begins a cell, even
 * inside quotes.
 */
const SPLITS = ';|\\t\\n\\v\\f\\r\\u0085\\u2028\\u2029'
/** Characters that can precede a formula. */
const IGNORED = ' \\u00a0\\u2000-\\u200d\\u202f\\u3000\\ufeff"\''
const FORMULA = `[${IGNORED}]*[=+\\-@＝＋－＠]`

const beginnings = new RegExp(`(^|[${SPLITS}])(?=${FORMULA})`, 'g')
const marked = new RegExp(`(^|[${SPLITS}])'(?=${FORMULA})`, 'g')
const aNumber = /^[+-]?\d+(\.\d+)?$/

/**
 * Escapes formulas with an apostrophe, so that no spreadsheet runs a part of the text, wherever it splits the line.
 * Numbers such as -5 are unchanged.
 */
export const escapedFormula = (text: string): string =>
  aNumber.test(text) ? text : text.replace(beginnings, "$1'")

/** Reverts escapedFormula. */
export const unescapedFormula = (text: string): string => text.replace(marked, '$1')
