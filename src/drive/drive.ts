import type { Context } from '../context.ts'
import type { Db } from '../db/database.ts'
import { fullName, sanitizedName } from './file-names.ts'
import { linkWriter, previewOf, readLink } from './links.ts'
import { readPreviews } from './previews.ts'
import { findFileRows } from './queries.ts'

/** The public API of the slice: files of the account, which cards, notes and fields name by their uuids. */
export type { FileUses } from './file-rights.ts'
export { openSession } from './sessions.ts'
export { driveUpkeep } from './upkeep.ts'
export { takePart } from './uploads.ts'

/** A file as others name it; `name` with its extension. */
export interface StoredFile {
  uuid: string
  version_uuid: string
  name: string
  size: number
  mime_type: string
  /** How many previews of a picture there are, the smaller first. */
  previews: number
}

/** Those of the files that the account has and that are not in the trash, by uuid. */
export async function findFiles(
  db: Db,
  account_id: number,
  uuids: readonly string[],
): Promise<Map<string, StoredFile>> {
  if (uuids.length === 0) return new Map()
  const rows = await findFileRows(db, account_id, uuids)
  return new Map(
    rows
      .filter(({ is_deleted }) => is_deleted === 0)
      .map((row) => [
        row.uuid,
        {
          uuid: row.uuid,
          version_uuid: row.version_uuid,
          name: fullName(row),
          size: row.size,
          mime_type: row.mime_type,
          previews: readPreviews(row.previews).length,
        },
      ]),
  )
}

/**
 * Addresses of a file's present version and of its largest preview, for somebody who has no token and comes when he likes;
 * three months, and as long as the file is not in the trash.
 */
export function lastingLinks(
  ctx: Context,
  account_id: number,
  { uuid, version_uuid, name, previews }: StoredFile,
): { media: string; thumbnail: string | null } {
  const write = linkWriter(ctx, 'lasting')
  // The address of the server and not of the account: it is the one that is known wherever others' servers run.
  const link = (what: string, ending: string) =>
    `${new URL(ctx.config.public_url).origin}/drive/download/${write({ account_id, file_uuid: uuid, what }, ending)}`
  return {
    media: link(version_uuid, sanitizedName(name)),
    thumbnail: previews > 0 ? link(previewOf(version_uuid, previews - 1), 'preview.webp') : null,
  }
}

/** The same link as one of today, at the address under which the reader came; for links that were written here. */
export function renewedLink(ctx: Context, origin: string, url: string): string {
  const link = readLink(url)
  return link ? `${origin}/drive/download/${linkWriter(ctx)(link, link.name)}` : url
}
