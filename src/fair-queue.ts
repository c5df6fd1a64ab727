/** Work that is done a few pieces at a time. The keys take turns, so that one with much waiting does not hold up the others. */
export interface FairQueue {
  /** Does the work when it is its key's turn. Null without doing it where too much of the key waits. */
  take<T>(key: string | number, work: () => Promise<T>): Promise<T | null>
}

export interface FairQueueLimits {
  /** Pieces of work at the same time, of all keys. */
  at_once: number
  /** Pieces of one key that may wait. */
  most_waiting: number
}

export function createFairQueue({ at_once, most_waiting }: FairQueueLimits): FairQueue {
  /** In the order of their turns. */
  const waiting = new Map<string | number, (() => Promise<void>)[]>()
  let running = 0

  function run(): void {
    for (let next = waiting.entries().next().value; next && running < at_once; ) {
      const [key, queue] = next
      waiting.delete(key)
      const work = queue.shift()
      // Behind the others.
      if (queue.length > 0) waiting.set(key, queue)
      running++
      void work?.().then(() => {
        running--
        run()
      })
      next = waiting.entries().next().value
    }
  }

  return {
    take<T>(key: string | number, work: () => Promise<T>): Promise<T | null> {
      const queue = waiting.get(key) ?? []
      if (queue.length >= most_waiting) return Promise.resolve(null)
      const { promise, resolve, reject } = Promise.withResolvers<T>()
      queue.push(() => Promise.resolve().then(work).then(resolve, reject))
      waiting.set(key, queue)
      run()
      return promise
    },
  }
}
