import { type Actor, auditAs, requireAdmin } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import type { FileRow } from '../db/tables.ts'
import { isInTrash, TRASH_SECONDS } from './changes.ts'
import { fullName } from './file-names.ts'
import { requireNamed } from './file-rights.ts'
import { deleteFile, findVersions, lockFiles, replaceFiles } from './queries.ts'
import { addUsage } from './session-queries.ts'
import { folderOf } from './sessions.ts'

/**
 * Seconds between the end of a file's time in the trash and its deletion. Bytes are deleted before rows, so every request
 * that found the item active must have ended, in every process, despite clock differences.
 */
export const MARGIN = 3_600

/**
 * Deletes files in the trash permanently, all of them or none, and gives their space back. For administrators. It ends
 * their time in the trash first, so that nobody restores them, and what an interruption leaves is deleted with the old files.
 */
export async function eraseFiles(ctx: Context, actor: Actor, named: { uuid: string }[]): Promise<void> {
  requireAdmin(actor)
  const files = await ctx.db.transaction().execute(async (tx) => {
    const uuids = [...new Set(named.map(({ uuid }) => uuid))]
    const rows = await lockFiles(tx, actor.account_id, uuids)
    const inTrash = new Map(rows.filter((row) => isInTrash(row, ctx.now())).map((row) => [row.uuid, row]))
    requireNamed(named, inTrash)
    const deleted_at = ctx.now() - TRASH_SECONDS - MARGIN
    await replaceFiles(
      tx,
      [...inTrash.values()].map((file) => ({ ...file, deleted_at })),
    )
    const details = [...inTrash.values()].map((file) => ({ name: fullName(file) }))
    await auditAs(ctx, tx, actor, 'file.deleted', ...details)
    return [...inTrash.values()]
  })
  for (const file of files) await removeFile(ctx, file)
}

/** Deletes a file whose time in the trash is over, and gives its space back. */
export async function removeFile(
  ctx: Context,
  { account_id, uuid }: Pick<FileRow, 'account_id' | 'uuid'>,
): Promise<void> {
  for (const version of await findVersions(ctx.db, account_id, uuid))
    await ctx.files.deleteFolder(folderOf({ account_id, version_uuid: version.uuid }))
  await ctx.db.transaction().execute(async (tx) => {
    await addUsage(tx, account_id, -(await deleteFile(tx, account_id, uuid)))
  })
}
