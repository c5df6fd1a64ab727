import { setImmediate as endOfTurn } from 'node:timers/promises'

/**
 * A query whose result many requests need. One is in flight at a time. Requests that arrive together share one, and each
 * waits for one that was sent after it arrived.
 */
export class CoalescedQuery {
  readonly #send: () => Promise<void>
  /** The query in flight. */
  #sent: Promise<void> | undefined
  /** The query that is not sent yet. */
  #next: Promise<void> | undefined

  constructor(send: () => Promise<void>) {
    this.#send = send
  }

  /** Resolves when a query that is sent from now on has its result. Rejects as the query does. */
  run(): Promise<void> {
    this.#next ??= this.#sendAfter(this.#sent)
    return this.#next
  }

  async #sendAfter(before: Promise<void> | undefined): Promise<void> {
    // Other requests can arrive in this turn of the event loop.
    await (before?.catch(() => {}) ?? endOfTurn())
    this.#next = undefined
    const sent = this.#send()
    this.#sent = sent
    try {
      await sent
    } finally {
      if (this.#sent === sent) this.#sent = undefined
    }
  }
}
