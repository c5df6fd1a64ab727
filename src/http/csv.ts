/** Tables as text (RFC 4180). */

/** Programs that make tables of such files take them for UTF-8 where they begin so. */
export const BYTE_ORDER_MARK = '\ufeff'

export const csvLine = (cells: readonly (string | number)[]): string =>
  `${cells.map((cell) => quoted(String(cell))).join(',')}\r\n`

const quoted = (cell: string): string => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)

/** Somebody's text: a spreadsheet runs what begins like a formula. A number is none, and stays one. */
export const harmless = (text: string): string =>
  /^[=+\-@\t\r]/.test(text) && !/^[+-]?\d+(\.\d+)?$/.test(text) ? `'${text}` : text
