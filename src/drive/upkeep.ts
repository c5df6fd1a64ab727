import type { Context } from '../context.ts'
import { TRASH_SECONDS } from './changes.ts'
import { deleteFile, filesDeletedBefore, findVersions } from './queries.ts'
import { addUsage, sessionsEndedBefore } from './session-queries.ts'
import { folderOf, removeSession } from './sessions.ts'

const AT_ONCE = 100
/**
 * Seconds between expiry and deletion. Bytes are deleted before rows, so every request that found the item active
 * must have ended, in every process, despite clock differences.
 */
const MARGIN = 3_600

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
    for (const { account_id, uuid } of old) {
      for (const version of await findVersions(ctx.db, account_id, uuid))
        await ctx.files.deleteFolder(folderOf({ account_id, version_uuid: version.uuid }))
      await ctx.db.transaction().execute(async (tx) => {
        await addUsage(tx, account_id, -(await deleteFile(tx, account_id, uuid)))
      })
    }
    if (old.length < AT_ONCE) return
  }
}
