import type { Context } from '../context.ts'
import type { FileRow, FileVersionRow } from '../db/tables.ts'
import { kindOf } from './file-kinds.ts'
import { fullName, sanitizedName } from './file-names.ts'
import { ACTIVE, linkWriter, previewOf } from './links.ts'
import { readPreviews } from './previews.ts'
import type { File, FileVersion } from './schemas.ts'

/** Base URLs for the links in a response, without a trailing slash. */
export interface Place {
  origin: string
  /** The URL of the surface, for example `https://demo.example.com/drive`. */
  base: string
}

export interface Views {
  file(row: FileRow): File
  version(row: FileVersionRow, file: FileRow): FileVersion
}

const by = (id: number) => ({ id, type: 'internal' as const })

/** The views of files in one response. */
export function viewsOf(ctx: Context, { origin, base }: Place): Views {
  const write = linkWriter(ctx)
  const link = (file: Pick<FileRow, 'account_id' | 'uuid'>, what: string, name: string): string =>
    `${origin}/drive/download/${write({ account_id: file.account_id, file_uuid: file.uuid, what }, name)}`
  const nameOf = ({ name, extension }: { name: string; extension: string }) =>
    fullName({ name: sanitizedName(name), extension })
  const previewsOf = (file: FileRow, version_uuid: string, text: string) => {
    const previews = readPreviews(text)
    if (previews.length === 0) return null
    return previews.map(({ width, height }, i) => ({
      download_link: link(file, previewOf(version_uuid, i), 'preview.webp'),
      width,
      height,
    }))
  }
  return {
    file: (row) => ({
      id: row.id,
      uuid: row.uuid,
      type: kindOf(row.mime_type),
      is_trashed: row.is_deleted === 1,
      name: row.name,
      sanitized_name: sanitizedName(row.name),
      size: row.size,
      source_id: null,
      version_uuid: row.version_uuid,
      has_multiple_versions: row.has_multiple_versions === 1,
      created_at: row.created_at,
      created_by: by(row.created_by),
      updated_at: row.updated_at,
      updated_by: by(row.updated_by),
      deleted_at: row.deleted_at,
      deleted_by: row.deleted_by === null ? null : by(row.deleted_by),
      metadata: { extension: row.extension, mime_type: row.mime_type },
      previews: previewsOf(row, row.version_uuid, row.previews),
      _links: {
        self: { href: `${base}/v1.0/files/${row.uuid}` },
        download: { href: link(row, ACTIVE, nameOf(row)) },
        download_version: { href: link(row, row.version_uuid, nameOf(row)) },
      },
    }),
    version: (row, file) => ({
      uuid: row.uuid,
      file_uuid: row.file_uuid,
      type: kindOf(row.mime_type),
      is_trashed: file.is_deleted === 1,
      name: row.name,
      sanitized_name: sanitizedName(row.name),
      size: row.size,
      is_main: row.uuid === file.version_uuid,
      source_id: null,
      version_uuid: row.uuid,
      has_multiple_versions: file.has_multiple_versions === 1,
      created_at: row.created_at,
      created_by: by(row.created_by),
      updated_at: row.created_at,
      updated_by: by(row.created_by),
      deleted_at: file.deleted_at,
      deleted_by: file.deleted_by === null ? null : by(file.deleted_by),
      metadata: { extension: row.extension, mime_type: row.mime_type },
      previews: previewsOf(file, row.uuid, row.previews),
      _links: {
        self: { href: `${base}/v1.0/files/${row.file_uuid}/versions/${row.uuid}` },
        download: { href: link(file, row.uuid, nameOf(row)) },
      },
    }),
  }
}
