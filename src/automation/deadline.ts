import { offsetOf } from '../accounts/accounts.ts'

/** The last second of the day of a time (Unix seconds) in a time zone. */
export function endOfDay(timezone: string, at: number): number {
  const local = at + offsetSeconds(timezone, at)
  const end = local - (((local % DAY) + DAY) % DAY) + DAY - 1
  // The offset at the end of the day, when the clocks may have changed.
  const guess = end - offsetSeconds(timezone, at)
  return end - offsetSeconds(timezone, guess)
}

const DAY = 86_400

function offsetSeconds(timezone: string, at: number): number {
  const [, sign, hours = '0', minutes = '0'] =
    /^([+-])(\d\d):(\d\d)/.exec(offsetOf(timezone, at * 1000)) ?? []
  return (Number(hours) * 60 + Number(minutes)) * 60 * (sign === '-' ? -1 : 1)
}
