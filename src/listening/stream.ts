import { cachedBriefly } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import { throughOutages, watchForCommits } from '../events/events.ts'
import { settledEnd } from '../outbound/outgoing.ts'
import { type Caller, hear, type Kinds, type Listening, listen } from './listening.ts'
import type { HeardRequest, ListenQuery, ListenSession } from './schemas.ts'

/** Requests that are read at once. */
const PAGE = 50
const BEAT_MS = 15_000

/** The beginning of a stream. */
export interface StreamStart {
  query: Omit<ListenQuery, 'after' | 'limit'>
  /** The session as it was found: it is there from now on. */
  shown: ListenSession
  after: number | null
}

/**
 * Server-sent events: the session, and then each request with its id, after one or from now on. A heartbeat has the
 * position, so that a reader that continues does not search again what it does not want. Ends when the signal aborts or the
 * caller loses their rights, which are read again every ten seconds.
 */
export async function* heardTexts(
  ctx: Context,
  kinds: Kinds,
  renew: () => Promise<Caller>,
  { query, shown, after }: StreamStart,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const reading = <T>(read: () => Promise<T>) => throughOutages(signal, read)
  const current = cachedBriefly<Listening>(ctx, () => reading(async () => listen(ctx, await renew(), query)))
  const commits = watchForCommits(signal)
  try {
    const { account_id } = (await current()).caller
    let from = after ?? (await reading(() => settledEnd(ctx, account_id))).id
    yield `retry: 1000\n\n${sessionText(shown, from)}`
    let sent_at = performance.now()
    while (!signal.aborted) {
      const until = await reading(() => settledEnd(ctx, account_id))
      const range = { after: from, until }
      const listening = await current()
      const { requests, next } = await reading(() => hear(ctx, kinds, listening, range, PAGE))
      const isMore = next !== from && next < until.id
      from = next
      if (requests.length > 0) yield requests.map(requestText).join('')
      else if (performance.now() - sent_at >= BEAT_MS) yield beat(from)
      else if (!isMore) await commits.next()
      if (requests.length > 0) sent_at = performance.now()
    }
  } finally {
    commits.off()
  }
}

const sessionText = (session: ListenSession, position: number): string =>
  `id: ${position}\nevent: session\ndata: ${JSON.stringify(session)}\n\n`

const requestText = (request: HeardRequest): string =>
  `id: ${request.id}\nevent: request\ndata: ${JSON.stringify(request)}\n\n`

const beat = (position: number): string => `id: ${position}\nevent: position\ndata: ${position}\n\n`
