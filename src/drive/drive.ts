import type { Db } from '../db/database.ts'
import { fullName } from './file-names.ts'
import { findFileRows } from './queries.ts'

/** The door of the slice: files of the account, which cards, notes and fields name by their uuids. */
export { driveUpkeep } from './upkeep.ts'

/** A file as others name it; `name` with its extension. */
export interface StoredFile {
  uuid: string
  version_uuid: string
  name: string
  size: number
  mime_type: string
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
        },
      ]),
  )
}
