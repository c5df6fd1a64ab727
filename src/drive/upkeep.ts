import type { Context } from '../context.ts'
import { TRASH_SECONDS } from './changes.ts'
import { MARGIN, removeFile } from './erasure.ts'
import { filesDeletedBefore } from './queries.ts'
import { sessionsEndedBefore } from './session-queries.ts'
import { removeSession } from './sessions.ts'

const AT_ONCE = 100

/** The periodic tasks of this slice. */
export function driveUpkeep(ctx: Context) {
  return [
    { name: 'ended uploads', every_seconds: 3_600, run: () => sweepSessions(ctx) },
    { name: 'old files in the trash', every_seconds: 3_600, run: () => sweepTrash(ctx) },
  ]
}

async function sweepSessions(ctx: Context): Promise<void> {
  for (;;) {
    const ended = await sessionsEndedBefore(ctx.db, ctx.now() - MARGIN, AT_ONCE)
    for (const session of ended) await removeSession(ctx, session)
    if (ended.length < AT_ONCE) return
  }
}

async function sweepTrash(ctx: Context): Promise<void> {
  for (;;) {
    const old = await filesDeletedBefore(ctx.db, ctx.now() - TRASH_SECONDS - MARGIN, AT_ONCE)
    for (const file of old) await removeFile(ctx, file)
    if (old.length < AT_ONCE) return
  }
}
