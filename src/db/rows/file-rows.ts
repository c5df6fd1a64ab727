import type { Flag, Json } from './column-types.ts'

/** A file of an account. The data of its bytes is that of its active version. */
export interface FileRow {
  account_id: number
  uuid: string
  /** Ascending with time; the order of lists. */
  id: number
  version_uuid: string
  /** Without the extension. */
  name: string
  /** The name and the extension in lower case, for filters. */
  search_name: string
  extension: string
  mime_type: string
  size: number
  previews: Json
  has_multiple_versions: Flag
  created_by: number
  created_at: number
  updated_by: number
  updated_at: number
  is_deleted: Flag
  deleted_by: number | null
  deleted_at: number | null
}

export interface FileVersionRow {
  account_id: number
  file_uuid: string
  uuid: string
  /** Counts the versions of the file; two versions can have the same second. */
  number: number
  name: string
  extension: string
  mime_type: string
  size: number
  /** `[{key, size, width, height}]`: blobs beside those of the version. */
  previews: Json
  created_by: number
  created_at: number
}

/** The bytes of a version are consecutive blobs, one for each uploaded part. */
export interface FilePartRow {
  account_id: number
  version_uuid: string
  /** Its offset in the version. */
  start: number
  size: number
  sha256: Buffer
  key: string
}

/** An upload of a version; kept until it expires, so that its last part can be repeated. */
export interface UploadSessionRow {
  account_id: number
  id: number
  token_hash: Buffer
  /** The version that it will become. */
  version_uuid: string
  /** The file that gets a new version; null for a new file until it exists. */
  file_uuid: string | null
  name: string
  extension: string
  mime_type: string
  size: number
  with_preview: Flag
  received: number
  parts: number
  is_finished: Flag
  created_by: number
  /** The owner of the upload limit: an integration, or the id of a person. */
  caller: string
  expires_at: number
}

/** The bytes used by an account's files, including reserved space of uploads. */
export interface FileUsageRow {
  account_id: number
  bytes: number
}
