import { invalid } from '../errors.ts'
import { HOUR, midnightOf, type Offset, offsetsOf, startOfDayAt } from '../local-days.ts'

/** One day or hour of a chart, in Unix seconds. `end` is exclusive. */
export interface Bucket {
  at: number
  end: number
}

export type Size = 'day' | 'hour'

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
  const offset = knownOffsets(time_zone)
  const startOf = (moment: number) => (size === 'day' ? startOfDay : startOfHour)(moment, offset)
  let at = startOf(to)
  let end = to + 1
  for (let count = 0; count < most && end > from; count++) {
    yield { at, end }
    end = at
    at = startOf(end - 1)
  }
}

const NO_ZONE = 'This value is not a time zone of the IANA database, such as Europe/Lisbon.'

function knownOffsets(time_zone: string): Offset {
  try {
    return offsetsOf(time_zone)
  } catch {
    throw invalid('time_zone', 'NotSupportedChoice', NO_ZONE)
  }
}

const startOfHour = (moment: number, offset: Offset): number =>
  moment - ((((moment + offset(moment)) % HOUR) + HOUR) % HOUR)

const startOfDay = (moment: number, offset: Offset): number =>
  startOfDayAt(midnightOf(moment, offset), offset)
