import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../context.ts'
import { onCommit } from '../db/commits.ts'
import { oldestTransaction } from '../db/dialect.ts'
import { isOutage } from '../db/failures.ts'
import type { EventFilter } from './filters.ts'
import { idAt, NEWEST, newestBefore, type ShownEvent } from './list-queries.ts'
import { type Readers, readSlice } from './reading.ts'

/**
 * The tail of the log. Ids are assigned before their transactions commit, so on a database with several writers an
 * event can appear behind a newer one. A tail that had passed that position would miss it. So it reads only up to the
 * start of the oldest open transaction; everything before that is final.
 *
 * It reads after each commit of this server, and once a second for the commits of servers elsewhere.
 */
const PAGE = 250
const POLL_MS = 1_000
/** The notification of a commit comes shortly before the commit is complete. */
const COMMIT_MS = 25
const BEAT_POLLS = 15

/** Where a tail begins: after an event, or with the events of the last milliseconds. */
export type TailStart = { after: string } | { recent_ms: number }

/**
 * Yields new events in the order of their ids, in pages. Yields an empty page from time to time as a heartbeat. Ends when the
 * signal aborts.
 */
export async function* newEvents(
  ctx: Context,
  readers: Readers,
  filter: EventFilter,
  start: TailStart,
  signal: AbortSignal,
): AsyncGenerator<ShownEvent[]> {
  const reading = <T>(read: () => Promise<T>) => throughOutages(signal, read)
  const { account_id } = (await reading(() => readers.current())).actor
  const commits = watchForCommits(signal)
  try {
    const { position, earlier } =
      'after' in start
        ? { position: start.after, earlier: new Set<string>() }
        : await reading(() => beginNow(ctx, readers, filter, start.recent_ms))
    let from = position
    yield []
    for (let quiet = 0; !signal.aborted; quiet++) {
      const reader = await reading(() => readers.current())
      const until = await reading(() => settledEnd(ctx, account_id))
      while (from < until && !signal.aborted) {
        const scan = { filter, direction: 'newer', from, until } as const
        const rows = await reading(() => readSlice(ctx.db, reader, scan, { limit: PAGE }))
        // Skips hidden events, so they are not scanned again.
        from = rows.length === PAGE ? (rows.at(-1) as ShownEvent).id : until
        const fresh = earlier.size === 0 ? rows : rows.filter(({ id }) => !earlier.delete(id))
        if (fresh.length === 0) continue
        quiet = 0
        yield fresh
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

/**
 * Where a tail begins that has no event to continue after: the position from which it reads, and the events behind it that
 * are in the log already and not recent. Others can still appear before these.
 */
async function beginNow(
  ctx: Context,
  readers: Readers,
  filter: EventFilter,
  recent_ms: number,
): Promise<{ position: string; earlier: Set<string> }> {
  const reader = await readers.current()
  const { account_id } = reader.actor
  // Read first: an event that is added from now on belongs to the tail.
  const before = recent_ms > 0 ? idAt(ctx.clock() - recent_ms) : NEWEST
  const newest = (await newestBefore(ctx.db, account_id, before))[0]?.id ?? ''
  const settled = await settledEnd(ctx, account_id)
  const position = settled < newest ? settled : newest
  const earlier = new Set<string>()
  for (let from = position; from < newest; ) {
    const scan = { filter, direction: 'newer', from, until: newest } as const
    const rows = await readSlice(ctx.db, reader, scan, { limit: PAGE })
    for (const { id } of rows) earlier.add(id)
    from = rows.length === PAGE ? (rows.at(-1) as ShownEvent).id : newest
  }
  return { position, earlier }
}

/**
 * The newest event before which no other event can appear; '' if there is none. The order of the three readings matters, because
 * each result can be late. A transaction that is not among the open ones either began after they were read, or is visible to
 * later statements. In the first case, its events are newer than the newest one and than the clock, which were both read
 * before.
 */
async function settledEnd(ctx: Context, account_id: number): Promise<string> {
  const [newest] = await newestBefore(ctx.db, account_id)
  const asked_at = ctx.clock()
  const age = await oldestTransaction(ctx.db)
  if (!newest || age === null) return newest?.id ?? ''
  const bound = idAt(asked_at - age)
  if (newest.id < bound) return newest.id
  const [settled] = await newestBefore(ctx.db, account_id, bound)
  return settled?.id ?? ''
}

/**
 * Reads for a stream that survives a database outage: repeats the read each second until the database is back. Throws
 * every other error, and the outage if the stream was aborted.
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
 * Waits for a commit of this server (db/commits.ts), for at most a second. A commit between two waits is not missed, and commits
 * within `pause_ms` count as one.
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
