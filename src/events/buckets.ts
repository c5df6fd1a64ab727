import { invalid } from '../errors.ts'

/** One day or hour of a chart, in Unix seconds. `end` is exclusive. */
export interface Bucket {
  at: number
  end: number
}

export type Size = 'day' | 'hour'

const HOUR = 3_600
const DAY = 24 * HOUR

/**
 * The days or hours that a time range covers, newest first, at most `most` of them. Both ends of the range are
 * inclusive. A day is as long as it is in its time zone: 23 hours when clocks go forward, 25 when they go back.
 */
export function* bucketsOf(
  size: Size,
  time_zone: string,
  { from, to }: { from: number; to: number },
  most: number,
): Generator<Bucket> {
  const offset = offsetsOf(time_zone)
  const startOf = (moment: number) => (size === 'day' ? startOfDay : startOfHour)(moment, offset)
  let at = startOf(to)
  let end = to + 1
  for (let count = 0; count < most && end > from; count++) {
    yield { at, end }
    end = at
    at = startOf(end - 1)
  }
}

/** The time zone's offset at a moment, in seconds ahead of UTC. */
type Offset = (moment: number) => number

function offsetsOf(time_zone: string): Offset {
  const format = formatOf(time_zone)
  // Looking up an offset is slow. It is read a few times an hour and changes twice a year.
  const known = new Map<number, number>()
  return (moment) => {
    const quarter = Math.floor(moment / 900)
    const offset = known.get(quarter) ?? offsetAt(format, moment)
    known.set(quarter, offset)
    return offset
  }
}

const NO_ZONE = 'This value is not a time zone of the IANA database, such as Europe/Lisbon.'

function formatOf(timeZone: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' })
  } catch {
    throw invalid('time_zone', 'NotSupportedChoice', NO_ZONE)
  }
}

function offsetAt(format: Intl.DateTimeFormat, moment: number): number {
  const name = format.formatToParts(moment * 1000).find(({ type }) => type === 'timeZoneName')?.value ?? ''
  const [, sign, hours = 0, minutes = 0, seconds = 0] = /([+-])(\d+):(\d+)(?::(\d+))?/.exec(name) ?? []
  const size = Number(hours) * HOUR + Number(minutes) * 60 + Number(seconds)
  return sign === '-' ? -size : size
}

const startOfHour = (moment: number, offset: Offset): number =>
  moment - ((((moment + offset(moment)) % HOUR) + HOUR) % HOUR)

/** The first moment of the day. Midnight can occur twice, or not at all; then the day begins where the clock jumps. */
function startOfDay(moment: number, offset: Offset): number {
  const midnight = Math.floor((moment + offset(moment)) / DAY) * DAY
  const candidates = [midnight - DAY, midnight + DAY].map((near) => midnight - offset(near))
  const real = candidates.filter((at) => at + offset(at) === midnight)
  return real.length > 0 ? Math.min(...real) : Math.max(...candidates)
}
