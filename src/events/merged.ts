/** Yields what several sources yield as soon as it comes, until one of them ends. Then it ends the others. */
export async function* merged<T>(...sources: AsyncGenerator<T>[]): AsyncGenerator<T> {
  const next = (source: AsyncGenerator<T>) => source.next().then((result) => ({ source, result }))
  const waiting = new Map(sources.map((source) => [source, next(source)]))
  try {
    for (;;) {
      const { source, result } = await Promise.race(waiting.values())
      if (result.done) return
      waiting.set(source, next(source))
      yield result.value
    }
  } finally {
    // A source that waits ends by itself when its signal aborts.
    for (const source of sources) source.return(undefined).catch(() => {})
    for (const result of waiting.values()) result.catch(() => {})
  }
}
