import { randomFillSync } from 'node:crypto'
import { decodeTime, encodeTime, incrementBase32, TIME_LEN, ulid } from 'ulid'
import type { Context } from '../context.ts'

type Clock = Pick<Context, 'clock'>

interface Made {
  id: string
  /** Its milliseconds. */
  at: number
}

/** The newest id per clock; ids stay monotonic within a millisecond and when the clock goes backwards. */
const newest = new WeakMap<Context['clock'], Made>()

/** Random bytes for many ids: fetching them for each letter would take longer than the rest of an id. */
const bytes = Buffer.alloc(4_096)
let used = bytes.length

function random(): number {
  if (used === bytes.length) {
    randomFillSync(bytes)
    used = 0
  }
  return bytes.readUInt8(used++) / 256
}

/** A ULID in lower case, which sorts by time. */
export const newUlid = (clock: Clock): string => newTimedUlid(clock).id

/** The same with its milliseconds: reading them from the id takes longer than making it. */
export function newTimedUlid({ clock }: Clock): Made {
  const last = newest.get(clock)
  const now = clock()
  const made =
    last === undefined || now > last.at
      ? { id: ulid(now, random), at: now }
      : { id: last.id.slice(0, TIME_LEN) + incrementBase32(last.id.slice(TIME_LEN)), at: last.at }
  newest.set(clock, made)
  return { id: made.id.toLowerCase(), at: made.at }
}

/** The milliseconds of the next id. They do not go back with the clock. */
export const ulidTime = ({ clock }: Clock): number => Math.max(clock(), newest.get(clock)?.at ?? 0)

/** The newest id that this process has made or continues after; '' if there is none. */
export const newestUlid = ({ clock }: Clock): string => newest.get(clock)?.id ?? ''

/** Makes all further ids greater than this one, which another process has made. */
export function continueAfter({ clock }: Clock, id: string): void {
  if (id > newestUlid({ clock })) newest.set(clock, { id, at: decodeTime(id) })
}

/** A text that sorts before all ids of this Unix second and later, and after those of the time before it. */
export const firstUlidAt = (second: number): string =>
  encodeTime(Math.max(second, 0) * 1000, TIME_LEN).toLowerCase()
