import type { Context } from '../context.ts'

/** Milliseconds for which the rights of a caller are taken as they were. */
const MAX_AGE_MS = 10_000

/**
 * Keeps what was asked of a caller who reads for longer than a moment, and asks anew after ten seconds. `first` is an
 * answer that is known already. The seconds are those that pass, whatever becomes of the clock.
 */
export function cachedBriefly<T extends object>(
  ctx: Context,
  ask: () => Promise<T>,
  first?: T,
): () => Promise<T> {
  let known = first
  let asked_at = ctx.monotonic()
  return async () => {
    if (known === undefined || ctx.monotonic() - asked_at >= MAX_AGE_MS) {
      known = await ask()
      asked_at = ctx.monotonic()
    }
    return known
  }
}
