import { randomFillSync } from 'node:crypto'
import { monotonicFactory, type ULIDFactory } from 'ulid'
import type { Context } from '../context.ts'

/** One a clock: its ids rise even within a millisecond, and where the clock is put back. */
const factories = new WeakMap<Context['clock'], ULIDFactory>()

/** Fetched for many ids at once: asked for letter by letter, they would take longer than the rest of an id. */
const bytes = Buffer.alloc(4_096)
let used = bytes.length

function random(): number {
  if (used === bytes.length) {
    randomFillSync(bytes)
    used = 0
  }
  return bytes.readUInt8(used++) / 256
}

/** An id that rises with the clock, 26 characters in lower case. */
export function newUlid({ clock }: Pick<Context, 'clock'>): string {
  const next = factories.get(clock) ?? monotonicFactory(random)
  factories.set(clock, next)
  return next(clock()).toLowerCase()
}
