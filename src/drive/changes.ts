import type { Actor } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import type { FileRow } from '../db/tables.ts'
import { invalid, noSuch, Refusal } from '../errors.ts'
import { readNewName, searchName } from './file-names.ts'
import { type FileUses, fileNotFound, hiddenFiles, requireNamed, requireOwn } from './file-rights.ts'
import { findVersion, lockFiles, replaceFiles } from './queries.ts'
import type { FilePatch } from './schemas.ts'

/** Seconds for which a file stays in the trash before it is deleted permanently. */
export const TRASH_SECONDS = 30 * 86_400

/** Whether a file is in the trash and can be restored. */
export const isInTrash = ({ deleted_at }: Pick<FileRow, 'deleted_at'>, now: number): boolean =>
  deleted_at !== null && deleted_at > now - TRASH_SECONDS

const BOTH = 'The request contains a new `name` and another `version_uuid`. It should contain one of them.'

/**
 * Renames a file, or activates another of its versions. A patch without differences leaves `updated_at` unchanged. A client
 * that changes the name of a file that it has read also writes its active version back (docs/wire/files.md#files-and-versions).
 */
export function changeFile(
  ctx: Context,
  actor: Actor,
  uses: FileUses,
  uuid: string,
  patch: FilePatch,
): Promise<FileRow> {
  if (patch.name === undefined && patch.version_uuid === undefined)
    throw new Refusal('invalid', 'The request contains no change.', { code: 'no_parameters' })
  return ctx.db.transaction().execute(async (tx) => {
    const [before] = await lockFiles(tx, actor.account_id, [uuid])
    if (!before || before.is_deleted === 1) throw fileNotFound()
    if ((await hiddenFiles(tx, actor, uses, [before])).size > 0) throw fileNotFound()
    requireOwn(actor, [before])
    const file = { ...before }
    if (patch.version_uuid !== undefined && patch.version_uuid !== file.version_uuid) {
      if (patch.name !== undefined) throw invalid('version_uuid', 'NotSupportedChoice', BOTH)
      const { account_id } = file
      const version = await findVersion(tx, { account_id, file_uuid: uuid, uuid: patch.version_uuid })
      if (!version) throw invalid('version_uuid', 'NotSupportedChoice', noSuch('version of this file'))
      const { extension, mime_type, size, previews } = version
      Object.assign(file, { version_uuid: version.uuid, extension, mime_type, size, previews })
    }
    if (patch.name !== undefined) file.name = readNewName(patch.name, file.extension)
    file.search_name = searchName(file)
    if (
      file.search_name === before.search_name &&
      file.name === before.name &&
      file.version_uuid === before.version_uuid
    )
      return before
    const after = { ...file, updated_by: actor.user_id, updated_at: ctx.now() }
    await replaceFiles(tx, [after])
    return after
  })
}

/** Moves all files to the trash, or none. Files already in the trash are left as they are. */
export async function trashFiles(
  ctx: Context,
  actor: Actor,
  uses: FileUses,
  named: { uuid: string }[],
): Promise<void> {
  await change(ctx, actor, uses, named, (file) =>
    file.is_deleted === 1
      ? file
      : { ...file, is_deleted: 1, deleted_by: actor.user_id, deleted_at: ctx.now() },
  )
}

/** Restores all files from the trash, or none, and returns them in the given order. */
export function restoreFiles(
  ctx: Context,
  actor: Actor,
  uses: FileUses,
  named: { uuid: string }[],
): Promise<FileRow[]> {
  return change(ctx, actor, uses, named, (file) => ({
    ...file,
    is_deleted: 0,
    deleted_by: null,
    deleted_at: null,
  }))
}

function change(
  ctx: Context,
  actor: Actor,
  uses: FileUses,
  named: { uuid: string }[],
  apply: (file: FileRow) => FileRow,
): Promise<FileRow[]> {
  return ctx.db.transaction().execute(async (tx) => {
    const uuids = [...new Set(named.map(({ uuid }) => uuid))]
    const rows = await lockFiles(tx, actor.account_id, uuids)
    // A file whose time in the trash is over is gone, even if its bytes still exist.
    const there = rows.filter((file) => file.deleted_at === null || isInTrash(file, ctx.now()))
    const hidden = await hiddenFiles(tx, actor, uses, there)
    const files = new Map(there.filter(({ uuid }) => !hidden.has(uuid)).map((row) => [row.uuid, row]))
    requireOwn(actor, requireNamed(named, files))
    for (const [uuid, file] of files) files.set(uuid, apply(file))
    await replaceFiles(tx, [...files.values()])
    return named.map(({ uuid }) => files.get(uuid) as FileRow)
  })
}
