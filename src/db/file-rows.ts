import type { Flag, Json } from './column-types.ts'

/** A file of an account. What is said of its bytes is that of its active version. */
export interface FileRow {
  account_id: number
  uuid: string
  /** Numbers rise with time: the order of lists. */
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
  /** Counts the versions of the file: two may be of one second. */
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

/** The bytes of a version are blobs that follow each other, each as it was uploaded. */
export interface FilePartRow {
  account_id: number
  version_uuid: string
  /** Where in the version it begins. */
  start: number
  size: number
  sha256: Buffer
  key: string
}

/** A version that is being uploaded; kept until it expires, so that its last part can be repeated. */
export interface UploadSessionRow {
  account_id: number
  id: number
  token_hash: Buffer
  /** The version that it will be. */
  version_uuid: string
  /** The file that gets a new version; of a new file null until it is there. */
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
  /** Whose uploads are counted together: an integration, or a person by their id. */
  caller: string
  expires_at: number
}

/** How much the files of an account take, with what is promised to uploads. */
export interface FileUsageRow {
  account_id: number
  bytes: number
}
