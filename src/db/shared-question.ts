import { setImmediate as endOfTurn } from 'node:timers/promises'

/**
 * A question to the database that many requests need an answer to. One is under way at a time. Requests that arrive together
 * share one, and each waits for one that was sent after it arrived.
 */
export class SharedQuestion {
  readonly #ask: () => Promise<void>
  /** The question that is under way. */
  #sent: Promise<void> | undefined
  /** The question that is not sent yet. */
  #next: Promise<void> | undefined

  constructor(ask: () => Promise<void>) {
    this.#ask = ask
  }

  /** Resolves when a question that is sent from now on has been answered. Rejects as the question does. */
  answered(): Promise<void> {
    this.#next ??= this.#sendAfter(this.#sent)
    return this.#next
  }

  async #sendAfter(before: Promise<void> | undefined): Promise<void> {
    // Other requests can arrive in this turn of the event loop.
    await (before?.catch(() => {}) ?? endOfTurn())
    this.#next = undefined
    const sent = this.#ask()
    this.#sent = sent
    try {
      await sent
    } finally {
      if (this.#sent === sent) this.#sent = undefined
    }
  }
}
