interface Times {
  /** Milliseconds for which items are collected. */
  wait: number
  /** Milliseconds between two calls of `read`. */
  rest: number
}

/** Milliseconds after which a read no longer holds back the next one: a connection can break without a sign. */
const LATE_MS = 10_000

/**
 * Collects items and reads them together: soon after a pause, and rarely while there are many. One read follows the other, so
 * that an older answer never replaces a newer one.
 */
export function batched<Item>(read: (items: Item[]) => unknown, { wait, rest }: Times) {
  let items: Item[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  let readAt = 0
  let isReading = false
  let hasEnded = false
  const plan = () => {
    if (isReading || hasEnded || items.length === 0) return
    timer ??= setTimeout(readAll, Math.max(wait, readAt + rest - Date.now()))
  }
  const readAll = async () => {
    const all = items
    items = []
    timer = undefined
    readAt = Date.now()
    isReading = true
    await settledSoon(async () => read(all))
    isReading = false
    plan()
  }
  return {
    add(item: Item) {
      items.push(item)
      plan()
    },
    end() {
      hasEnded = true
      clearTimeout(timer)
    },
  }
}

/** Resolves when the read has ended, or is late. An error is reported as uncaught: nobody else waits for the read. */
async function settledSoon(read: () => Promise<unknown>): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, LATE_MS)
  await Promise.race([read().catch(report), late])
  clearTimeout(timer)
}

/** `reportError` of the browser. The test of this file has no types of the DOM. */
const report = (error: unknown): void =>
  (globalThis as unknown as { reportError: (error: unknown) => void }).reportError(error)
