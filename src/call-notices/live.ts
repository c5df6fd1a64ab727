import type { Actor } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import type { CallNoticeRow } from '../db/tables.ts'
import { throughOutages, watchForCommits } from '../events/events.ts'
import { deleteNoticesBefore, noticesSince } from './queries.ts'

/** A notice can be committed later than another one with a higher id, so the last seconds are read again. */
export const OVERLAP = 10
/** Seconds for which notices are kept. */
const KEPT = 3_600

/** Yields the new notices for a person as server-sent events, until the signal aborts. */
export async function* callNoticeTexts(
  ctx: Context,
  { account_id, user_id }: Pick<Actor, 'account_id' | 'user_id'>,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const commits = watchForCommits(signal)
  const read = () => throughOutages(signal, () => noticesSince(ctx.db, account_id, ctx.now() - OVERLAP))
  let sent = new Set((await read()).map(({ id }) => id))
  try {
    while (!signal.aborted) {
      await commits.next()
      if (signal.aborted) return
      const rows = await read()
      const fresh = rows.filter((row) => !sent.has(row.id) && isFor(row, user_id))
      sent = new Set(rows.map(({ id }) => id))
      if (fresh.length > 0) yield fresh.map(textOf).join('')
    }
  } finally {
    commits.off()
  }
}

const isFor = ({ users }: CallNoticeRow, user_id: number): boolean =>
  users === null || (JSON.parse(users) as number[]).includes(user_id)

/** Without an id, because the stream resumes at events of the log. */
const textOf = ({ phone, entity_type, entity_id }: CallNoticeRow): string => {
  const entity = entity_id === null ? null : { type: entity_type, id: entity_id }
  return `event: call\ndata: ${JSON.stringify({ phone, entity })}\n\n`
}

/** Deletes old notices; a periodic task. */
export async function sweepCallNotices(ctx: Context): Promise<void> {
  await ctx.db.transaction().execute((tx) => deleteNoticesBefore(tx, ctx.now() - KEPT))
}
