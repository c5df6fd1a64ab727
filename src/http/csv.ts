/** Tables as text (RFC 4180). */

/** Programs that make tables of such files take them for UTF-8 where they begin so. */
export const BYTE_ORDER_MARK = '\ufeff'

/** A row. Texts are quoted and escapedFormula; numbers stand as they are. */
export const csvLine = (cells: readonly (string | number)[]): string =>
  `${cells.map((cell) => (typeof cell === 'number' ? cell : quoted(escapedFormula(cell)))).join(',')}\r\n`

const quoted = (cell: string): string => `"${cell.replaceAll('"', '""')}"`

/** What some spreadsheet splits a file by that is not the comma: what follows begins a cell, quoted or not. */
const SPLITS = ';|\\t\\n\\v\\f\\r\\u0085\\u2028\\u2029'
/** What may stand before a formula and does not keep it from being one. */
const IGNORED = ' \\u00a0\\u2000-\\u200d\\u202f\\u3000\\ufeff"\''
const FORMULA = `[${IGNORED}]*[=+\\-@＝＋－＠]`

const beginnings = new RegExp(`(^|[${SPLITS}])(?=${FORMULA})`, 'g')
const marked = new RegExp(`(^|[${SPLITS}])'(?=${FORMULA})`, 'g')
const aNumber = /^[+-]?\d+(\.\d+)?$/

/**
 * Somebody's text, of which no spreadsheet runs a part, by whatever it splits the file: an apostrophe stands before what
 * begins like a formula. A number is none, and stays one.
 */
export const escapedFormula = (text: string): string =>
  aNumber.test(text) ? text : text.replace(beginnings, "$1'")

/** The text of which escapedFormula made this. */
export const unescapedFormula = (text: string): string => text.replace(marked, '$1')
