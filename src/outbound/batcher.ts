/** A moment, for what others may join. */
const MOMENT_MS = 10
const MOST = 32

/**
 * Has what comes within a moment be done together: the first waits for the others, for as long as that.
 */
export class Batcher<T> {
  readonly #act: (batch: T[]) => Promise<void>
  #batch: T[] = []
  #done = Promise.withResolvers<void>()
  #timer: NodeJS.Timeout | undefined

  constructor(act: (batch: T[]) => Promise<void>) {
    this.#act = act
  }

  /** Ends when it is done. */
  add(one: T): Promise<void> {
    this.#batch.push(one)
    const { promise } = this.#done
    if (this.#batch.length >= MOST) this.#go()
    else this.#timer ??= setTimeout(() => this.#go(), MOMENT_MS)
    return promise
  }

  #go(): void {
    clearTimeout(this.#timer)
    const { resolve, reject } = this.#done
    const batch = this.#batch
    this.#timer = undefined
    this.#batch = []
    this.#done = Promise.withResolvers()
    this.#act(batch).then(resolve, reject)
  }
}
