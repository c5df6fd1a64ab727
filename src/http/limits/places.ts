import type { Config } from '../../config.ts'

/** Places that a caller can occupy at the same time, by key. */
export interface Places {
  /** Takes one of `most` places. Resolves with the function that gives it back, or with null if all are taken. */
  take(key: string, most: number): Promise<(() => void) | null>
}

/** Counts the places that are taken. */
export class PlaceCounts {
  readonly #taken = new Map<string, number>()

  /** Takes one of `most` places, and returns whether there was one. */
  take(key: string, most: number): boolean {
    const taken = this.#taken.get(key) ?? 0
    if (taken >= most) return false
    this.#taken.set(key, taken + 1)
    return true
  }

  giveBack(key: string): void {
    const left = (this.#taken.get(key) ?? 1) - 1
    if (left > 0) this.#taken.set(key, left)
    else this.#taken.delete(key)
  }

  /** The keys of all taken places, each as often as it has places. */
  *keys(): Generator<string> {
    for (const [key, taken] of this.#taken) for (let i = 0; i < taken; i++) yield key
  }
}

/** Counts in this process. */
export function createPlaces(): Places {
  const counts = new PlaceCounts()
  return {
    take: async (key, most) => (counts.take(key, most) ? () => counts.giveBack(key) : null),
  }
}

/** The share of each process in a limit of all of them together. At least 1. */
export const shareOf = (limit: number, { workers }: Pick<Config, 'workers'>): number =>
  Math.max(1, Math.floor(limit / workers))
