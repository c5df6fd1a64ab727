import type { Context } from '../context.ts'
import { continueAfter, newestUlid } from '../db/ulids.ts'
import type { WriteLock } from '../db/write-lock.ts'
import type { Channel } from './channel.ts'

/**
 * A server process's side of the lock for writing (lock-queue.ts). The newest id goes with the lock, so that the ids of
 * the log rise in the order of the commits of all processes, as the tail of the log requires (events/live.ts).
 *
 * Without the primary, the server stops. It then writes under SQLite's own lock alone.
 */
export class SharedLock implements WriteLock {
  readonly #channel: Channel
  readonly #clock: Pick<Context, 'clock'>
  #granting: PromiseWithResolvers<void> | undefined
  #isHere = false
  #isUsed = false
  #isWanted = false
  #isAlone = false

  constructor(channel: Channel, clock: Pick<Context, 'clock'>) {
    this.#channel = channel
    this.#clock = clock
    channel.on({
      granted: ({ newest_ulid, isWanted }) => {
        if (newest_ulid !== '') continueAfter(clock, newest_ulid)
        this.#isHere = true
        this.#isWanted = isWanted
        this.#granting?.resolve()
      },
      wanted: () => {
        this.#isWanted = true
        if (!this.#isUsed) this.#free()
      },
    })
  }

  take(): Promise<void> | undefined {
    this.#isUsed = true
    if (this.#isHere || this.#isAlone) return undefined
    this.#granting = Promise.withResolvers()
    this.#channel.send({ is: 'want' })
    return this.#granting.promise
  }

  giveBack(): void {
    this.#isUsed = false
    if (this.#isWanted) this.#free()
  }

  isWanted(): boolean {
    return this.#isWanted
  }

  /** The connection to the primary has ended. */
  goAlone(): void {
    this.#isAlone = true
    this.#granting?.resolve()
  }

  #free(): void {
    if (!this.#isHere) return
    this.#isHere = this.#isWanted = false
    this.#channel.send({ is: 'free', newest_ulid: newestUlid(this.#clock) })
  }
}
