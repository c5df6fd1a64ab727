import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from './context.ts'
import type { Tx } from './db/database.ts'
import { hasOneWorker } from './db/dialect.ts'
import { logFailedWork } from './db/failed-work.ts'
import { isContention } from './db/failures.ts'

/** The maximum delay before work of another process, or that of a dead process, is noticed. */
const POLL_MS = 3_000
/** The pause and the number of attempts when other transactions are in the way. */
const PAUSE_MS = 200
const TRIES = 25

/**
 * Does stored work that is due, with turns among the accounts. Work is leased like a delivery
 * (outbound/deliveries.ts): its row stores the end and the name of the lease. If the process dies, the lease expires,
 * and the next process continues.
 */
export interface LeasedRunner {
  /** Must be called after due work was committed. */
  wake(): void
  /** Does everything that is due, until nothing is. */
  runDue(): Promise<void>
  start(): void
  /** Stops after the current piece of work. This or another process does the rest later. */
  stop(): Promise<void>
}

export interface LeasedWork {
  /** The plural noun of the work, for the log. */
  name: string
  /** Ends all leases, so that their work is due. */
  endLeases(tx: Tx, now: number): Promise<void>
  /**
   * Leases due work of an account that is not in `served`, and does it until the account's turn ends or the runner
   * stops. Returns the account; undefined if no other account has due work.
   */
  serveNext(served: number[], isStopping: () => boolean): Promise<number | undefined>
}

/** Creates the runner of one kind of work. */
export function createLeasedRunner(ctx: Context, work: LeasedWork): LeasedRunner {
  let isStopping = false
  let loop: Promise<void> | undefined
  let woken = Promise.withResolvers<void>()
  const wake = () => {
    woken.resolve()
    woken = Promise.withResolvers()
  }
  const runDue = async () => {
    const served = new Set<number>()
    while (!isStopping) {
      const account_id = await work.serveNext([...served], () => isStopping)
      if (account_id !== undefined) served.add(account_id)
      else if (served.size === 0) return
      // Every account has had its turn.
      else served.clear()
    }
  }
  const runAlways = async () => {
    let isFirst = true
    const poll = async () => {
      // The predecessor was the only worker and has ended, so its leases are invalid.
      if (isFirst && hasOneWorker(ctx.db))
        await ctx.db.transaction().execute((tx) => work.endLeases(tx, ctx.now()))
      isFirst = false
      await runDue()
    }
    while (!isStopping) {
      const again = woken.promise
      await poll().catch((error) => logFailedWork(ctx, error, `the ${work.name} could not be read`))
      if (isStopping) return
      const timer = setTimeout(wake, POLL_MS)
      await again
      clearTimeout(timer)
    }
  }
  return {
    wake,
    runDue,
    start: () => {
      loop ??= runAlways()
    },
    stop: async () => {
      isStopping = true
      wake()
      await loop
    },
  }
}

/** Repeats a transaction that was rolled back because of contention. */
export async function retryOnContention<T>(work: () => Promise<T>): Promise<T> {
  for (let left = TRIES; ; left--) {
    try {
      return await work()
    } catch (error) {
      if (left <= 1 || !isContention(error)) throw error
      await sleep(PAUSE_MS)
    }
  }
}
