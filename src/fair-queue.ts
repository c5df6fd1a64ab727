import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * Runs work with limited concurrency. The keys take turns, so that a key with much queued work does not delay the
 * others.
 */
export interface FairQueue {
  /**
   * Runs the work when it is the turn of its key, in the async context of the caller. Returns null without running it if
   * too much work of the key is queued.
   */
  take<T>(key: string | number, work: () => Promise<T>): Promise<T | null>
}

export interface FairQueueLimits {
  /** Concurrent pieces of work, over all keys. */
  at_once: number
  /** The most queued pieces of one key. */
  most_waiting: number
}

export function createFairQueue({ at_once, most_waiting }: FairQueueLimits): FairQueue {
  /** Keys in the order of their turns. */
  const waiting = new Map<string | number, (() => Promise<void>)[]>()
  let running = 0

  function run(): void {
    for (let next = waiting.entries().next().value; next && running < at_once; ) {
      const [key, queue] = next
      waiting.delete(key)
      const work = queue.shift()
      // Moves the key behind the others.
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
      // Otherwise it would run in the context of the work before it, as if that had asked the database for it (S45).
      const own = AsyncLocalStorage.bind(work)
      queue.push(() => Promise.resolve().then(own).then(resolve, reject))
      waiting.set(key, queue)
      run()
      return promise
    },
  }
}
