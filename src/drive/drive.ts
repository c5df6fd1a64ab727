import type { Context } from '../context.ts'
import type { Db } from '../db/database.ts'
import type { FileVersionRow } from '../db/tables.ts'
import { fullName, sanitizedName } from './file-names.ts'
import { linkWriter, previewOf, readLink } from './links.ts'
import { readPreviews } from './previews.ts'
import { findFileRows, findVersion } from './queries.ts'
import { usageOfAll } from './session-queries.ts'

/** The public API of the slice: files of the account. Cards, notes and fields refer to them by uuid. */
export { type FileUses, visibleFile } from './file-rights.ts'
export { pictureFormat } from './picture-formats.ts'
export { storedKeys } from './queries.ts'
export { usedBytes } from './session-queries.ts'
export { deleteFilesOf, openSession } from './sessions.ts'
export { driveUpkeep } from './upkeep.ts'
export { acceptPart } from './uploads.ts'

/** A file for other slices; `name` includes the extension. */
export interface StoredFile {
  uuid: string
  version_uuid: string
  name: string
  size: number
  mime_type: string
  /** The number of previews of a picture, smallest first. */
  previews: number
}

/** The existing files of the account that are not in the trash, by uuid. */
export async function findFiles(
  db: Db,
  account_id: number,
  uuids: readonly string[],
): Promise<Map<string, StoredFile>> {
  if (uuids.length === 0) return new Map()
  const rows = await findFileRows(db, account_id, uuids)
  return new Map(
    rows.filter(({ is_deleted }) => is_deleted === 0).map((row) => [row.uuid, storedFile(row, row)]),
  )
}

/** The same file with one of its versions, active or not. Undefined if the file has no such version. */
export async function findFileVersion(
  db: Db,
  account_id: number,
  file: StoredFile,
  version_uuid: string,
): Promise<StoredFile | undefined> {
  if (version_uuid === file.version_uuid) return file
  const version = await findVersion(db, { account_id, file_uuid: file.uuid, uuid: version_uuid })
  return version && storedFile({ uuid: file.uuid, version_uuid }, version)
}

type FileData = Pick<FileVersionRow, 'name' | 'extension' | 'size' | 'mime_type' | 'previews'>

const storedFile = (
  { uuid, version_uuid }: Pick<StoredFile, 'uuid' | 'version_uuid'>,
  { previews, size, mime_type, ...name }: FileData,
): StoredFile => ({
  uuid,
  version_uuid,
  name: fullName(name),
  size,
  mime_type,
  previews: readPreviews(previews).length,
})

/**
 * URLs of a version of a file and of its largest preview, for recipients without a token who may open them
 * later. Valid for three months, while the file is not in the trash.
 */
export function lastingLinks(
  ctx: Context,
  account_id: number,
  { uuid, version_uuid, name, previews }: StoredFile,
): { media: string; thumbnail: string | null } {
  const write = linkWriter(ctx, 'lasting')
  // The server's own address, which is known even where the server of the recipient runs elsewhere.
  const link = (what: string, ending: string) =>
    `${new URL(ctx.config.public_url).origin}/drive/download/${write({ account_id, file_uuid: uuid, what }, ending)}`
  return {
    media: link(version_uuid, sanitizedName(name)),
    thumbnail: previews > 0 ? link(previewOf(version_uuid, previews - 1), 'preview.webp') : null,
  }
}

/** Renews a link that this server signed, for the origin of the current request. */
export function renewedLink(ctx: Context, origin: string, url: string): string {
  const link = readLink(url)
  return link ? `${origin}/drive/download/${linkWriter(ctx)(link, link.name)}` : url
}

/** Shows the size of all files in the metrics. */
export function watchFiles(ctx: Context): void {
  ctx.metrics.watch(
    'patchbay_files_bytes',
    'Bytes of the files of all accounts, with their versions and the trash.',
    ctx.metrics.remembered(() => usageOfAll(ctx.db)),
  )
}
