import type { Context } from '../../context.ts'

/** Milliseconds for which a result is reused. */
const MAX_AGE_MS = 10_000

/**
 * Caches the result of `load` for ten seconds, for the rights of a caller who reads a long response. `first` is a
 * result that is already known. Uses monotonic time, so clock changes have no effect.
 */
export function cachedBriefly<T extends object>(
  ctx: Context,
  load: () => Promise<T>,
  first?: T,
): () => Promise<T> {
  let cached = first
  let loaded_at = ctx.monotonic()
  return async () => {
    if (cached === undefined || ctx.monotonic() - loaded_at >= MAX_AGE_MS) {
      cached = await load()
      loaded_at = ctx.monotonic()
    }
    return cached
  }
}
