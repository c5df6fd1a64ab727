import { setTimeout as sleep } from 'node:timers/promises'
import { isContention } from './failures.ts'

/**
 * The order in which the processes of a server write to the embedded database. SQLite's own lock still guards the file:
 * this one only makes writers wait their turn without blocking their event loop, and without polling.
 */
export interface WriteLock {
  /** Takes the lock; undefined if this process had it already. */
  take(): Promise<void> | undefined
  /** Gives it to the next process. If none waits, this one keeps it for its next transaction. */
  giveBack(): void
  /** Whether another process waits for it. */
  isWanted(): boolean
}

/** The lock of a program that is the only writer, apart from commands that an operator runs beside it. */
export const noOthers: WriteLock = { take: () => undefined, giveBack: () => {}, isWanted: () => false }

/** Milliseconds for which a transaction waits for a program outside of this server. */
const PATIENCE = 5_000
const PAUSES = { first: 1, last: 50 }

/**
 * Begins a transaction. If another program has SQLite's lock, it tries again, without blocking the event loop. Throws
 * the error of SQLite in the end.
 */
export function beginPatiently(begin: () => void): Promise<void> | undefined {
  try {
    begin()
    return undefined
  } catch (error) {
    if (!isContention(error)) throw error
    return repeat(begin)
  }
}

async function repeat(begin: () => void): Promise<void> {
  const until = performance.now() + PATIENCE
  for (let pause = PAUSES.first; ; pause = Math.min(2 * pause, PAUSES.last)) {
    await sleep(pause)
    try {
      return begin()
    } catch (error) {
      if (!isContention(error) || performance.now() > until) throw error
    }
  }
}
