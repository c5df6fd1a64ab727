/** A source, and what came from it: `read` returns its result, or throws its error. */
interface Arrival<T> {
  source: AsyncGenerator<T>
  read(): IteratorResult<T>
}

/** Yields what several sources yield as soon as it comes, until one of them ends. Then it ends the others. */
export async function* merged<T>(...sources: AsyncGenerator<T>[]): AsyncGenerator<T> {
  // Promise.race would keep everything that it returned until the slowest source yields something.
  const arrived: Arrival<T>[] = []
  let wake = () => {}
  const arrive = (source: AsyncGenerator<T>, read: () => IteratorResult<T>) => {
    arrived.push({ source, read })
    wake()
  }
  const ask = (source: AsyncGenerator<T>) => {
    source.next().then(
      (result) => arrive(source, () => result),
      (error) =>
        arrive(source, () => {
          throw error
        }),
    )
  }
  for (const source of sources) ask(source)
  try {
    for (;;) {
      const next = arrived.shift()
      if (!next) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
        continue
      }
      const { done, value } = next.read()
      if (done) return
      ask(next.source)
      yield value
    }
  } finally {
    // A source that waits ends by itself when its signal aborts.
    for (const source of sources) source.return(undefined).catch(() => {})
  }
}
