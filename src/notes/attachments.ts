import type { Static } from 'typebox'
import type { Db } from '../db/database.ts'
import { findFiles, type StoredFile } from '../drive/drive.ts'
import type { AttachmentParams, StoredAttachment } from './note-types.ts'

/** What a note of a file may be told. */
export type WrittenAttachment = Static<typeof AttachmentParams>

/** The files that notes name, by their ids in lower case; those that do not exist are left out. */
export async function namedFiles(
  db: Db,
  account_id: number,
  uuids: readonly string[],
): Promise<Map<string, StoredFile>> {
  if (uuids.length === 0) return new Map()
  return findFiles(db, account_id, [...new Set(uuids.map((uuid) => uuid.toLowerCase()))])
}

/** What is kept of a note of this file; what the note does not say is taken from the file. */
export function attachmentOf(
  file: StoredFile,
  { version_uuid, file_name }: Partial<WrittenAttachment> = {},
): StoredAttachment {
  const name = file_name ?? file.name
  return {
    is_drive_attachment: true,
    text: name,
    original_name: file.name,
    attachment: file.name,
    file_uuid: file.uuid,
    version_uuid: version_uuid?.toLowerCase() ?? file.version_uuid,
    file_name: name,
  }
}
