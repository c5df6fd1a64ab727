import type { Context } from '../../context.ts'
import { throughOutages, watchForCommits } from '../../events/events.ts'
import type { ChatReaders } from '../conversations/chat-rights.ts'
import { type ChatChange, changesSince } from './chat-list-queries.ts'

/**
 * The changes of chats. `changed_at` is the time of the change, not of its commit, and other processes have other
 * clocks. So each poll goes back by an overlap, and versions tell which changes were already sent. A change that is
 * sent twice does no harm, because clients compare versions. It polls after each commit of this server, and every
 * second for commits of others.
 */
const OVERLAP = 30
const PAGE = 250
/** Commits within this time share a poll: each poll is a query for every client. */
const PAUSE_MS = 150
const HEARTBEAT_POLLS = 15

/** Where a stream begins: a little before a time, or with the changes of the last seconds. */
export type ChatStreamStart = { since: number } | { recent: number }

/** Yields pages of changes in order, and an empty page as a heartbeat. Ends with the signal. */
export async function* chatChanges(
  ctx: Context,
  readers: ChatReaders,
  start: ChatStreamStart,
  signal: AbortSignal,
): AsyncGenerator<ChatChange[]> {
  const sent = new Map<string, ChatChange>()
  const commits = watchForCommits(signal, PAUSE_MS)
  try {
    const now = ctx.now()
    let from = Math.min('since' in start ? start.since : now, now) - OVERLAP
    if ('recent' in start) {
      for await (const _ of poll(ctx, readers, { from, kept: from }, sent, signal));
      const { recent } = start
      if (recent > 0) for (const one of sent.values()) if (one.changed_at >= now - recent) sent.delete(one.id)
    }
    yield []
    for (let quiet = 0; !signal.aborted; quiet++) {
      const next = ctx.now() - OVERLAP
      for await (const news of poll(ctx, readers, { from, kept: next }, sent, signal)) {
        quiet = 0
        yield news
        if (signal.aborted) return
      }
      // Also back, if the clock was set back: a repeated change does no harm.
      from = next
      for (const { id, changed_at } of sent.values()) if (changed_at < from) sent.delete(id)
      if (quiet >= HEARTBEAT_POLLS) {
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
 * Yields the changes since a time that were not sent yet, and marks them as sent. Those before `kept` are not marked: the
 * next poll does not read them again, and a client that was away for long gets all chats.
 */
async function* poll(
  ctx: Context,
  readers: ChatReaders,
  { from, kept }: { from: number; kept: number },
  sent: Map<string, ChatChange>,
  signal: AbortSignal,
): AsyncGenerator<ChatChange[]> {
  for (let after: ChatChange | null = null; ; ) {
    const place: { since: number; after: ChatChange | null } = { since: from, after }
    const { rows } = await throughOutages(signal, async () => {
      const { access, seen } = await readers.current()
      return changesSince({ account_id: access.actor.account_id, ...place }, seen, PAGE).execute(ctx.db)
    })
    const news = rows.filter(({ id, version }) => sent.get(id)?.version !== version)
    for (const change of rows) if (change.changed_at >= kept) sent.set(change.id, change)
    if (news.length > 0) yield news
    if (rows.length < PAGE) return
    after = rows.at(-1) as ChatChange
  }
}

/** As server-sent events (HTML Living Standard, 9.2). The id is where a broken stream continues. */
export const changesText = (changes: readonly ChatChange[]): string =>
  changes.length === 0
    ? ': still here\n\n'
    : changes
        .map(
          ({ id, version, changed_at }) =>
            `event: chat\nid: ${changed_at}\ndata: ${JSON.stringify({ id, version })}\n\n`,
        )
        .join('')
