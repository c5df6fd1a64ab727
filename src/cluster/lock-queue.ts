import type { Channel } from './channel.ts'

/**
 * The primary's side of the lock for writing: the holder, and those who wait, in order. A process that holds the lock and
 * does not write keeps it, so a single writer needs no messages. The next process that asks
 * gets it when the present group of transactions is committed.
 */
export class LockQueue {
  #holder: Channel | undefined
  #waiting: Channel[] = []
  /** The newest id that a holder has made. */
  #newest_ulid = ''

  want(process: Channel): void {
    this.#waiting.push(process)
    if (!this.#holder) this.#next()
    else if (this.#waiting.length === 1) this.#holder.send({ is: 'wanted' })
  }

  free(process: Channel, newest_ulid: string): void {
    this.#newest_ulid = newest_ulid
    if (process === this.#holder) this.#next()
  }

  /** A process has ended. The system has ended its lock of the file, and recovery its transaction. */
  leave(process: Channel): void {
    this.#waiting = this.#waiting.filter((one) => one !== process)
    if (process === this.#holder) this.#next()
  }

  #next(): void {
    this.#holder = this.#waiting.shift()
    const isWanted = this.#waiting.length > 0
    this.#holder?.send({ is: 'granted', newest_ulid: this.#newest_ulid, isWanted })
  }
}
