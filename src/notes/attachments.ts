import type { Static } from 'typebox'
import type { Db } from '../db/database.ts'
import { findFiles, type StoredFile } from '../drive/drive.ts'
import type { AttachmentParams, StoredAttachment } from './note-types.ts'

export const NO_FILE = 'There is no such file in the file service of this account.'

/** The writable params of a file note. */
export type WrittenAttachment = Static<typeof AttachmentParams>

/** The files of notes, by their lower-case ids. Unknown ids are left out. */
export async function namedFiles(
  db: Db,
  account_id: number,
  uuids: readonly string[],
): Promise<Map<string, StoredFile>> {
  if (uuids.length === 0) return new Map()
  return findFiles(db, account_id, [...new Set(uuids.map((uuid) => uuid.toLowerCase()))])
}

/** The stored params of a file note. Values that the note omits come from the file. */
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
