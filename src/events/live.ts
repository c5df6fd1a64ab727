import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../context.ts'
import { onCommit } from '../db/commits.ts'
import { oldestTransaction } from '../db/dialect.ts'
import { isOutage } from '../db/failures.ts'
import type { EventFilter } from './filters.ts'
import { idAt, newestBefore, type ShownEvent } from './list-queries.ts'
import { type Readers, readSlice } from './reading.ts'

/**
 * The log as it grows. Ids are handed out before their transactions end, so on a database with several writers an event
 * can appear behind one that was there already. A tail that had passed its place would never show it: so it reads only
 * up to the moment at which the oldest transaction that is still open began, and everything before that is settled.
 *
 * It looks when this process has committed something, and each second for what other processes did.
 */
const PAGE = 250
const POLL_MS = 1_000
/** A commit is told before it is done. */
const COMMIT_MS = 25
const BEAT_POLLS = 15

/**
 * New events in the order of their ids, in pages, from after an event or from now on; an empty page now and then, which
 * says that the tail lives. Ends when the signal does.
 */
export async function* newEvents(
  ctx: Context,
  readers: Readers,
  filter: EventFilter,
  after: string | null,
  signal: AbortSignal,
): AsyncGenerator<ShownEvent[]> {
  const reading = <T>(read: () => Promise<T>) => throughOutages(signal, read)
  const { account_id } = (await reading(() => readers.current())).actor
  const commits = watchForCommits(signal)
  try {
    let from = after ?? (await reading(() => settledEnd(ctx, account_id)))
    yield []
    for (let quiet = 0; !signal.aborted; quiet++) {
      const reader = await reading(() => readers.current())
      const until = await reading(() => settledEnd(ctx, account_id))
      while (from < until && !signal.aborted) {
        const scan = { filter, direction: 'newer', from, until } as const
        const rows = await reading(() => readSlice(ctx.db, reader, scan, { limit: PAGE }))
        // What he does not see is passed by too, and not looked at again.
        from = rows.length === PAGE ? (rows.at(-1) as ShownEvent).id : until
        if (rows.length === 0) continue
        quiet = 0
        yield rows
      }
      if (quiet >= BEAT_POLLS) {
        quiet = 0
        yield []
      }
      await commits.next()
    }
  } finally {
    commits.off()
  }
}

/** The newest event of the account that none can appear before any more; '' when there is none. */
async function settledEnd(ctx: Context, account_id: number): Promise<string> {
  const age = await oldestTransaction(ctx.db)
  const bound = age === null ? undefined : idAt(ctx.clock() - age)
  const [newest] = await newestBefore(ctx.db, account_id, bound)
  return newest?.id ?? ''
}

/**
 * Reads for a stream that outlives an outage of the database: reads again each second until the database is back. Throws
 * any other error, and the outage when the stream has ended meanwhile.
 */
export async function throughOutages<T>(signal: AbortSignal, read: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await read()
    } catch (error) {
      if (!isOutage(error) || signal.aborted) throw error
      await sleep(POLL_MS)
    }
  }
}

/**
 * Waits for commits of this process, and no longer than a second. None that comes between two waits is passed by, and
 * those of `pause_ms` are one.
 */
export function watchForCommits(signal: AbortSignal, pause_ms = COMMIT_MS) {
  let isNew = false
  let wake = () => {}
  const off = onCommit(() => {
    isNew = true
    wake()
  })
  signal.addEventListener('abort', () => wake(), { once: true })
  return {
    off,
    async next(): Promise<void> {
      if (signal.aborted) return
      if (!isNew)
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, POLL_MS)
          wake = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      if (!signal.aborted) await sleep(pause_ms)
      isNew = false
    },
  }
}
