/** A moment, for what others may join. */
const MOMENT_MS = 10
const MOST = 32

/**
 * Has what comes within a moment be done together: the first waits for the others, for as long as that.
 */
export class Gathering<T> {
  readonly #act: (together: T[]) => Promise<void>
  #together: T[] = []
  #done = Promise.withResolvers<void>()
  #timer: NodeJS.Timeout | undefined

  constructor(act: (together: T[]) => Promise<void>) {
    this.#act = act
  }

  /** Ends when it is done. */
  add(one: T): Promise<void> {
    this.#together.push(one)
    const { promise } = this.#done
    if (this.#together.length >= MOST) this.#go()
    else this.#timer ??= setTimeout(() => this.#go(), MOMENT_MS)
    return promise
  }

  #go(): void {
    clearTimeout(this.#timer)
    const { resolve, reject } = this.#done
    const together = this.#together
    this.#timer = undefined
    this.#together = []
    this.#done = Promise.withResolvers()
    this.#act(together).then(resolve, reject)
  }
}
