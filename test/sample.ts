import { isLong } from './long.ts'

/**
 * Selects the samples of a run. A failure names it, and `SAMPLE_SEED` repeats them. In CI it is fixed, so that a failure is
 * caused by a change.
 */
export const SAMPLE_SEED = Number(
  process.env.SAMPLE_SEED ?? (process.env.CI ? 1 : Math.floor(Math.random() * 1_000_000)),
)

/** The message of an expectation about samples. */
export const ofSample = `SAMPLE_SEED=${SAMPLE_SEED}`

/**
 * In the short form, one in `step` of the items, but at least `least` if there are so many; in the long form all. Each
 * seed and each number have others.
 */
export function sampled<One>(
  items: readonly One[],
  number: number,
  { step, least = 0 }: { step: number; least?: number },
): One[] {
  const stride = isLong ? 1 : Math.max(1, least > 0 ? Math.min(step, Math.floor(items.length / least)) : step)
  return items.filter((_, i) => (i + number + SAMPLE_SEED) % stride === 0)
}
