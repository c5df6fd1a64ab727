import { invalid, invalidChoice } from '../../errors.ts'
import { unixSeconds } from '../times.ts'
import { type QueryValue, textOf } from './bracket-query.ts'

/** Filter values. An address contains them as text. `path` names the filter in a refusal. */

export function numberOf(path: string, text: string): number {
  const number = /^-?\d{1,16}$/.test(text) ? Number(text) : Number.NaN
  if (!Number.isSafeInteger(number)) throw invalid(path, 'InvalidType', 'This value should be of type int.')
  return number
}

/** `order[name]=asc|desc`, in any case. */
export function directionOf(name: string, value: QueryValue | undefined): 'asc' | 'desc' {
  const direction = textOf(value).toLowerCase()
  if (direction !== 'asc' && direction !== 'desc') throw invalidChoice(`order.${name}`, ['asc', 'desc'])
  return direction
}

export interface Range {
  from: number | null
  to: number | null
}

/**
 * `[from]`, `[to]` or `from,to`; a single moment is the start. Both ends are inclusive (E3). Fractions are cut off, because
 * clients divide milliseconds and send the quotient.
 */
export function rangeOf(name: string, value: QueryValue): Range {
  if (typeof value === 'string') {
    const [from, to] = value.split(',')
    return { from: end(name, from), to: end(name, to) }
  }
  if (Array.isArray(value)) return { from: end(name, value[0]), to: end(name, value[1]) }
  return { from: end(`${name}.from`, value.from), to: end(`${name}.to`, value.to) }
}

/** A range of times in Unix seconds. Milliseconds are converted, as in bodies (V14). */
export function timesOf(name: string, value: QueryValue): Range {
  const { from, to } = rangeOf(name, value)
  return { from: from && unixSeconds(from), to: to && unixSeconds(to) }
}

/** As timesOf, except that a single moment is exclusive. */
export function timesAfter(name: string, value: QueryValue): Range {
  const { from, to } = timesOf(name, value)
  const isMoment = typeof value === 'string' && !value.includes(',')
  return { from: isMoment && from !== null ? from + 1 : from, to }
}

function end(name: string, value: QueryValue | undefined): number | null {
  if (value === undefined || value === '') return null
  if (typeof value !== 'string')
    throw invalid(`filter.${name}`, 'InvalidType', 'This value should be of type int.')
  const text = value.trim()
  return numberOf(`filter.${name}`, FRACTION.test(text) ? String(Math.floor(Number(text))) : text)
}

const FRACTION = /^-?\d{1,15}\.\d{1,20}$/
