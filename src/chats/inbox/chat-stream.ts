import type { Context } from '../../context.ts'
import { throughOutages, watchForCommits } from '../../events/events.ts'
import type { ChatReaders } from '../conversations/chat-rights.ts'
import { type ChatChange, changesSince } from './chat-list-queries.ts'

/**
 * Chats as they change. `changed_at` is when a change was made, not when it was committed, and other processes have clocks
 * of their own: so each look goes back by an overlap, and what was told is known by its version. What is told twice, as
 * after a break, does no harm: who follows knows versions too.
 *
 * It looks when this process has committed something, and each second for what other processes did.
 */
const OVERLAP = 30
const PAGE = 250
/** Commits within it are looked at together: each look is a query for every reader. */
const PAUSE_MS = 150
const BEAT_LOOKS = 15

/** Changes in their order, in pages, from a moment or from now on; an empty page now and then. Ends when the signal does. */
export async function* chatChanges(
  ctx: Context,
  readers: ChatReaders,
  since: number | null,
  signal: AbortSignal,
): AsyncGenerator<ChatChange[]> {
  const told = new Map<string, ChatChange>()
  const commits = watchForCommits(signal, PAUSE_MS)
  try {
    let from = Math.min(since ?? ctx.now(), ctx.now()) - OVERLAP
    if (since === null) for await (const _ of look(ctx, readers, from, told, signal));
    yield []
    for (let quiet = 0; !signal.aborted; quiet++) {
      const next = ctx.now() - OVERLAP
      for await (const news of look(ctx, readers, from, told, signal)) {
        quiet = 0
        yield news
        if (signal.aborted) return
      }
      // Back too, where the clock was put back: what is told twice does no harm.
      from = next
      for (const { id, changed_at } of told.values()) if (changed_at < from) told.delete(id)
      if (quiet >= BEAT_LOOKS) {
        quiet = 0
        yield []
      }
      await commits.next()
    }
  } finally {
    commits.off()
  }
}

/** What changed since a moment and was not told; from then on it is. */
async function* look(
  ctx: Context,
  readers: ChatReaders,
  from: number,
  told: Map<string, ChatChange>,
  signal: AbortSignal,
): AsyncGenerator<ChatChange[]> {
  for (let after: ChatChange | null = null; ; ) {
    const place: { since: number; after: ChatChange | null } = { since: from, after }
    const { rows } = await throughOutages(signal, async () => {
      const { access, seen } = await readers.current()
      return changesSince({ account_id: access.actor.account_id, ...place }, seen, PAGE).execute(ctx.db)
    })
    const news = rows.filter(({ id, version }) => told.get(id)?.version !== version)
    for (const change of rows) told.set(change.id, change)
    if (news.length > 0) yield news
    if (rows.length < PAGE) return
    after = rows.at(-1) as ChatChange
  }
}

/** As server-sent events (HTML Living Standard, 9.2); the id is where a stream that broke goes on. */
export const changesText = (changes: readonly ChatChange[]): string =>
  changes.length === 0
    ? ': still here\n\n'
    : changes
        .map(
          ({ id, version, changed_at }) =>
            `event: chat\nid: ${changed_at}\ndata: ${JSON.stringify({ id, version })}\n\n`,
        )
        .join('')
