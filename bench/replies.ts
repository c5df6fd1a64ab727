import type { Reply } from './crowd.ts'

/** The time below which this share of the replies took, in milliseconds; 0 without replies. */
export function percentile(replies: readonly Reply[], share: number): number {
  const times = replies.map(({ ms }) => ms).sort((a, b) => a - b)
  return times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0
}
