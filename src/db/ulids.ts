import { randomFillSync } from 'node:crypto'
import { monotonicFactory, type ULIDFactory } from 'ulid'
import type { Context } from '../context.ts'

/** One generator per clock; ids stay monotonic within a millisecond and when the clock goes backwards. */
const factories = new WeakMap<Context['clock'], ULIDFactory>()

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
export function newUlid({ clock }: Pick<Context, 'clock'>): string {
  const next = factories.get(clock) ?? monotonicFactory(random)
  factories.set(clock, next)
  return next(clock()).toLowerCase()
}
