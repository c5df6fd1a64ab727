import { monotonicFactory, type ULIDFactory } from 'ulid'
import type { Context } from '../context.ts'

/** One a clock: its ids rise even within a millisecond, and where the clock is put back. */
const factories = new WeakMap<Context['clock'], ULIDFactory>()

/** An id that rises with the clock, 26 characters in lower case. */
export function newUlid({ clock }: Pick<Context, 'clock'>): string {
  const next = factories.get(clock) ?? monotonicFactory()
  factories.set(clock, next)
  return next(clock()).toLowerCase()
}
