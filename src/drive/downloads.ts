import type { Readable } from 'node:stream'
import type { Context } from '../context.ts'
import type { Db } from '../db/database.ts'
import type { FileRow, FileVersionRow } from '../db/tables.ts'
import type { ByteRange, StoredBlob } from '../files/files.ts'
import type { FileName } from './file-names.ts'
import { fileNotFound } from './file-rights.ts'
import { ACTIVE, type Linked } from './links.ts'
import { PREVIEW_TYPE, readPreviews } from './previews.ts'
import { findFileRows, findParts, findVersion } from './queries.ts'

/** A download whose content has not been read yet. */
export interface Download extends FileName {
  mime_type: string
  size: number
  /** An ETag, which changes only with the bytes. */
  tag: string
  open(range?: ByteRange): Promise<Readable>
}

/** Finds the content of a link to a file that is not in the trash, or throws Refusal('not_found'). */
export async function findDownload(ctx: Context, { account_id, file_uuid, what }: Linked): Promise<Download> {
  const [file] = await findFileRows(ctx.db, account_id, [file_uuid])
  if (!file || file.is_deleted === 1) throw fileNotFound()
  const [version_uuid, preview] =
    what === ACTIVE ? [file.version_uuid] : (what.split('.') as [string, string?])
  const version = await versionOf(ctx.db, file, version_uuid)
  if (preview === undefined) {
    const { name, extension, mime_type, size } = version
    // Parts are loaded on demand: a file can have hundreds.
    const open = async (range?: ByteRange) =>
      ctx.files.open(await findParts(ctx.db, account_id, version_uuid), range)
    return { name, extension, mime_type, size, tag: version_uuid, open }
  }
  const picture: StoredBlob | undefined = readPreviews(version.previews)[Number(preview)]
  if (!picture) throw fileNotFound()
  const open = (range?: ByteRange) => ctx.files.open([picture], range)
  return { name: 'preview', extension: 'webp', mime_type: PREVIEW_TYPE, size: picture.size, tag: what, open }
}

type Version = Pick<FileVersionRow, 'name' | 'extension' | 'mime_type' | 'size' | 'previews'>

/** The active version has the name of the file. */
async function versionOf(db: Db, file: FileRow, uuid: string): Promise<Version> {
  if (uuid === file.version_uuid) return file
  const version = await findVersion(db, { account_id: file.account_id, file_uuid: file.uuid, uuid })
  if (!version) throw fileNotFound()
  return version
}
