/** Days of a time zone. Moments are Unix seconds; a local time is written as if it were UTC. */

export const HOUR = 3_600
export const DAY = 24 * HOUR

/** The time zone's offset at a moment, in seconds ahead of UTC. */
export type Offset = (moment: number) => number

/** The offsets of a time zone. Throws RangeError if the zone is unknown. */
export function offsetsOf(time_zone: string): Offset {
  const format = new Intl.DateTimeFormat('en-US', { timeZone: time_zone, timeZoneName: 'longOffset' })
  // Looking up an offset is slow. It is read a few times an hour and changes twice a year.
  const known = new Map<number, number>()
  return (moment) => {
    const quarter = Math.floor(moment / 900)
    const offset = known.get(quarter) ?? offsetAt(format, moment)
    known.set(quarter, offset)
    return offset
  }
}

function offsetAt(format: Intl.DateTimeFormat, moment: number): number {
  const name = format.formatToParts(moment * 1000).find(({ type }) => type === 'timeZoneName')?.value ?? ''
  const [, sign, hours = 0, minutes = 0, seconds = 0] = /([+-])(\d+):(\d+)(?::(\d+))?/.exec(name) ?? []
  const size = Number(hours) * HOUR + Number(minutes) * 60 + Number(seconds)
  return sign === '-' ? -size : size
}

/** The date and the clock of a moment, as spreadsheets of every country read them. */
export const localText = (moment: number, offset: Offset): string =>
  new Date((moment + offset(moment)) * 1000).toISOString().slice(0, 19).replace('T', ' ')

/** The local midnight at the start of the day of a moment. */
export const midnightOf = (moment: number, offset: Offset): number =>
  Math.floor((moment + offset(moment)) / DAY) * DAY

/**
 * The first moment of the day that begins at a local midnight. Midnight can occur twice, or not at all; then the day
 * begins where the clock jumps.
 */
export function startOfDayAt(midnight: number, offset: Offset): number {
  const candidates = [midnight - DAY, midnight + DAY].map((near) => midnight - offset(near))
  const real = candidates.filter((at) => at + offset(at) === midnight)
  return real.length > 0 ? Math.min(...real) : Math.max(...candidates)
}
