import { offsetOf } from '../../accounts/accounts.ts'
import { type RowErrorReason, rowErrors } from './row-error-types.ts'

/** Parses the cells of a table as people write them: numbers, dates, yes and no, lists of values. */

/** A cell that cannot be parsed. */
export class CellFault extends Error {
  readonly reason: RowErrorReason
  constructor(reason: RowErrorReason) {
    super(rowErrors[reason].detail)
    this.reason = reason
  }
}

/** The notation of a table. */
export interface CellConventions {
  /** The order of day and month in 03/04/2026. */
  dates: 'dmy' | 'mdy'
  /** A point before three digits separates thousands. If semicolons separate cells, numbers have decimal commas. */
  has_decimal_comma: boolean
  timezone: string
}

/** Longer texts are not numbers. Matching them would start again at each character. */
const LONGEST_NUMBER = 100

/** Parses a number into the form that fields accept. Throws CellFault. */
export function numberIn(
  cell: string,
  { has_decimal_comma }: Pick<CellConventions, 'has_decimal_comma'>,
): string {
  if (cell.length > LONGEST_NUMBER) throw new CellFault('not_a_number')
  const sign = /^[^\d]*[-−(]/.test(cell) ? '-' : ''
  const bare = cell.replace(/[\s\u00a0\u202f'’]/g, '').replace(/^[^\d.,]+|[^\d.,]+$/g, '')
  if (!/^[\d.,]+$/.test(bare) || !/\d/.test(bare)) throw new CellFault('not_a_number')
  const decimal = decimalMark(bare, has_decimal_comma)
  const [whole = '', fraction = ''] = decimal === null ? [bare] : splitAt(bare, bare.lastIndexOf(decimal))
  const digits = whole.replace(/[.,]/g, '') || '0'
  return `${sign}${digits}${fraction && `.${fraction}`}`
}

const splitAt = (text: string, at: number): string[] => [text.slice(0, at), text.slice(at + 1)]

/** The decimal mark: of two marks the last one, of one mark a single one that does not separate thousands. */
function decimalMark(bare: string, has_decimal_comma: boolean): ',' | '.' | null {
  const [comma, point] = [bare.lastIndexOf(','), bare.lastIndexOf('.')]
  if (comma >= 0 && point >= 0) return comma > point ? ',' : '.'
  const mark = comma >= 0 ? ',' : point >= 0 ? '.' : null
  if (mark === null) return null
  if (bare.indexOf(mark) !== bare.lastIndexOf(mark)) return null
  const looksLikeThousands = /^\d{1,3}[.,]\d{3}$/.test(bare) && !bare.startsWith('0')
  if (!looksLikeThousands) return mark
  return (mark === ',') === has_decimal_comma ? mark : null
}

interface Moment {
  day: [year: number, month: number, day: number]
  time: [hours: number, minutes: number, seconds: number] | null
}

export const WRITTEN_DATE =
  /^(\d{1,4})([./-])(\d{1,2})\2(\d{1,4})\.?(?:[T ,]+(\d{1,2}):(\d{2})(?::(\d{2}))?(?:\.\d+)?)?$/
const WITH_ZONE = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?\s?(Z|[+-]\d\d:?\d\d)$/i
const UNIX = /^\d{9,11}$/

/** Parses a day into the form of RFC 3339. Throws CellFault. */
export function dayIn(cell: string, conventions: CellConventions): string {
  if (WITH_ZONE.test(cell)) return cell.slice(0, 10)
  if (UNIX.test(cell)) return new Date(Number(cell) * 1000).toISOString().slice(0, 10)
  const { day } = momentIn(cell, conventions)
  return dayText(day)
}

/** Parses a moment into Unix seconds, in the account's time zone unless it has its own. Throws CellFault. */
export function secondsIn(cell: string, conventions: CellConventions): number {
  if (UNIX.test(cell)) return Number(cell)
  if (WITH_ZONE.test(cell)) {
    const at = Date.parse(cell.replace(/\s?(Z|[+-]\d\d:?\d\d)$/i, '$1').replace(' ', 'T'))
    if (!Number.isNaN(at)) return Math.floor(at / 1000)
  }
  const { day, time } = momentIn(cell, conventions)
  const [hours, minutes, seconds] = time ?? [0, 0, 0]
  const asUtc = Date.parse(`${dayText(day)}T00:00:00Z`) + ((hours * 60 + minutes) * 60 + seconds) * 1000
  const [, sign, h = '0', m = '0'] = /^([+-])(\d\d):(\d\d)/.exec(offsetOf(conventions.timezone, asUtc)) ?? []
  const offset = (Number(h) * 60 + Number(m)) * 60 * (sign === '-' ? -1 : 1)
  return asUtc / 1000 - offset
}

function momentIn(cell: string, { dates }: CellConventions): Moment {
  const [, first = '', mark, second = '', third = '', ...clock] = WRITTEN_DATE.exec(cell) ?? []
  const [a, b, c] = [Number(first), Number(second), Number(third)]
  const isYearFirst = first.length === 4
  const isMonthFirst = dates === 'mdy' && mark !== '.'
  const [year, month, day] = isYearFirst ? [a, b, c] : isMonthFirst ? [c, a, b] : [c, b, a]
  const full = third.length <= 2 && !isYearFirst ? year + (year < 70 ? 2000 : 1900) : year
  const [hours = 0, minutes = 0, seconds = 0] = clock.map((part) => Number(part ?? 0))
  const found: Moment = { day: [full, month, day], time: clock[0] ? [hours, minutes, seconds] : null }
  if (!first || !isDay(found.day) || hours > 23 || minutes > 59 || seconds > 59)
    throw new CellFault('not_a_date')
  return found
}

function isDay([year, month, day]: Moment['day']): boolean {
  if (year < 1 || year > 9999) return false
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day
}

const dayText = ([year, month, day]: Moment['day']): string =>
  `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`

/** The order of day and month in a column, from the first unambiguous date. */
export function dateOrderOf(cells: readonly string[]): CellConventions['dates'] | null {
  for (const cell of cells) {
    const [, first, second] = /^(\d{1,2})[/-](\d{1,2})[/-]\d{2,4}/.exec(cell) ?? []
    if (first === undefined) continue
    if (Number(first) > 12) return 'dmy'
    if (Number(second) > 12) return 'mdy'
  }
  return null
}

const YES = new Set(['1', 'true', 'yes', 'y', 'x', '+', 'on', '✓', 'да', 'д', 'есть', 'sí', 'si', 's', 'sim', 'verdadero', 'verdadeiro', 'истина']) // biome-ignore format: one line
const NO = new Set(['0', 'false', 'no', 'n', '-', 'off', 'нет', 'н', 'não', 'nao', 'falso', 'ложь'])

/** Parses yes or no. Throws CellFault. */
export function flagIn(cell: string): boolean {
  const word = cell.toLowerCase()
  if (YES.has(word)) return true
  if (NO.has(word)) return false
  throw new CellFault('not_yes_or_no')
}

/** The values of a cell, separated by semicolons or line breaks, or by commas if no value contains one. */
export const partsOf = (cell: string): string[] => [
  ...new Set(
    cell
      .split(/[;\n|]|,(?!\d)/)
      .map((part) => part.trim())
      .filter(Boolean),
  ),
]
