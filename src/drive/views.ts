import type { Context } from '../context.ts'
import type { FileRow, FileVersionRow } from '../db/tables.ts'
import { kindOf } from './file-kinds.ts'
import { fullName, sanitizedName } from './file-names.ts'
import { ACTIVE, linkWriter, previewOf } from './links.ts'
import { readPreviews } from './previews.ts'
import type { File, FileVersion } from './schemas.ts'

/** The addresses of files in one response. */
export interface FileLinks {
  /** The URL of the surface, for example `https://demo.example.com/drive`. */
  base: string
  /** The signed URL of a file's content. */
  download(file: Pick<FileRow, 'account_id' | 'uuid'>, what: string, name: string): string
}

/** The links of one response. `origin` and `base` have no slash at their end. */
export function linksOf(ctx: Context, { origin, base }: { origin: string; base: string }): FileLinks {
  const write = linkWriter(ctx)
  return {
    base,
    download: ({ account_id, uuid }, what, name) =>
      `${origin}/drive/download/${write({ account_id, file_uuid: uuid, what }, name)}`,
  }
}

export const fileView = (row: FileRow, links: FileLinks): File => ({
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
  previews: previewsOf(row, row.version_uuid, row.previews, links),
  _links: {
    self: { href: `${links.base}/v1.0/files/${row.uuid}` },
    download: { href: links.download(row, ACTIVE, nameOf(row)) },
    download_version: { href: links.download(row, row.version_uuid, nameOf(row)) },
  },
})

export const versionView = (row: FileVersionRow, file: FileRow, links: FileLinks): FileVersion => ({
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
  previews: previewsOf(file, row.uuid, row.previews, links),
  _links: {
    self: { href: `${links.base}/v1.0/files/${row.file_uuid}/versions/${row.uuid}` },
    download: { href: links.download(file, row.uuid, nameOf(row)) },
  },
})

const by = (id: number) => ({ id, type: 'internal' as const })

const nameOf = ({ name, extension }: { name: string; extension: string }) =>
  fullName({ name: sanitizedName(name), extension })

function previewsOf(file: FileRow, version_uuid: string, text: string, links: FileLinks) {
  const previews = readPreviews(text)
  if (previews.length === 0) return null
  return previews.map(({ width, height }, i) => ({
    download_link: links.download(file, previewOf(version_uuid, i), 'preview.webp'),
    width,
    height,
  }))
}
