import { Type } from 'typebox'

/** The last second of the year 9999. */
export const LAST_SECOND = 253_402_300_799

/** The format of a time in the schema of a body. */
export const UNIX_TIME = 'unix-time'

/** A time in a body, in Unix seconds. Milliseconds and fractions are converted before validation (V14). */
export const Time = Type.Integer({ minimum: 0, maximum: LAST_SECOND, format: UNIX_TIME })

/** 10^11 seconds is in the year 5138, 10^11 milliseconds in 1973. */
const LARGEST_IN_SECONDS = 100_000_000_000

/** Converts a number to whole Unix seconds. Numbers above 10^11 are milliseconds. Fractions are cut. */
export const unixSeconds = (number: number): number =>
  Math.floor(number > LARGEST_IN_SECONDS ? number / 1_000 : number)

const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/

/** Converts a text with a date, a time and a zone to Unix seconds. Other texts stay. */
export function secondsIn(text: string): number | string {
  const at = RFC_3339.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? text : Math.floor(at / 1_000)
}
