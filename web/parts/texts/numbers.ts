/** Returns the decimal and group separators of a language; spaces between groups do not count. */
function marksOf(locale: string): { decimal: string; group: string } {
  const parts = new Intl.NumberFormat(locale, { useGrouping: 'always' }).formatToParts(12_345.6)
  const mark = (type: 'decimal' | 'group') => parts.find((part) => part.type === type)?.value ?? ''
  return { decimal: mark('decimal'), group: mark('group') }
}

/** The delimiter of CSV that spreadsheets of the reader's region split lines by: a comma is no mark of theirs otherwise. */
export const delimiterIn = (locale: string): 'comma' | 'semicolon' =>
  marksOf(locale).decimal === ',' ? 'semicolon' : 'comma'

const BLANKS = /[\s\u00a0\u202f'’]/g
/** Groups of three digits with one separator. */
const GROUPED = /^[+-]?\d{1,3}([.,]\d{3})+$/

/** Returns plain digits with at most one point; null if the text is ambiguous. */
function plainOf(typed: string, locale: string): string | null {
  const text = typed.replace(BLANKS, '')
  const points = text.split('.').length - 1
  const commas = text.split(',').length - 1
  if (points + commas === 0) return text
  if (points > 0 && commas > 0) {
    // If both separators occur, the last one is the decimal separator.
    const decimal = text.lastIndexOf('.') > text.lastIndexOf(',') ? '.' : ','
    const [whole = '', ...fractions] = text.split(decimal)
    return fractions.length === 1 && GROUPED.test(whole)
      ? `${whole.replace(/[.,]/g, '')}.${fractions[0]}`
      : null
  }
  const mark = points > 0 ? '.' : ','
  if (points + commas > 1) return GROUPED.test(text) ? text.replaceAll(mark, '') : null
  // `1,234` is 1234 in languages that group with commas, and 1.234 in others.
  const isGroup = GROUPED.test(text) && mark === marksOf(locale).group && !/^[+-]?0/.test(text)
  return isGroup ? text.replace(mark, '') : text.replace(mark, '.')
}

/**
 * Parses a number as people type it in any language: `1 234,50`, `1,234.50`, `1.234,50` and `1234.5` are the same
 * number. Returns its plain digits (`1234.5`, 15 at most), or null if the text is not a number. It never ignores a
 * character that could change the number.
 */
export function readNumber(typed: string, locale: string): string | null {
  const plain = plainOf(typed, locale)
  const [, sign, whole, fraction = ''] = /^([+-]?)0*(\d{1,15})(?:\.(\d{1,15}))?$/.exec(plain ?? '') ?? []
  if (whole === undefined) return null
  const rest = fraction.replace(/0+$/, '')
  if (`${whole}${rest}`.replace(/^0+/, '').length > 15) return null
  const isZero = Number(`${whole}.${rest || 0}`) === 0
  return `${sign === '-' && !isZero ? '-' : ''}${whole}${rest && `.${rest}`}`
}

/**
 * Parses an amount of money from 0 with at most two decimals; null for anything else. With three decimals, a point
 * would often be a group separator of another language.
 */
export function readAmount(typed: string, locale: string): number | null {
  const plain = readNumber(typed, locale)
  return plain !== null && /^\d+(\.\d\d?)?$/.test(plain) ? Number(plain) : null
}

/** Formats a plain number for editing: with the decimal separator of the language, without group separators. */
export const writeNumber = (plain: string | number, locale: string): string =>
  String(plain).replace('.', marksOf(locale).decimal)
