import type { Db, Tx } from '../db/database.ts'
import { forUpdate, isOneOf } from '../db/dialect.ts'
import { deleteRows, insertRows, replaceRows } from '../db/row-sets.ts'
import type { FilePartRow, FileRow, FileVersionRow } from '../db/tables.ts'

/** The files of an account, or those with these uuids. */
export const selectFiles = (db: Db, account_id: number, uuids?: readonly string[]) =>
  db
    .selectFrom('files')
    .selectAll('files')
    .where('files.account_id', '=', account_id)
    .$if(uuids !== undefined, (query) =>
      query.where((eb) => isOneOf(db, eb.ref('files.uuid'), uuids as readonly string[])),
    )

/** The files with these uuids, in the trash or not; by the primary key. */
export function findFileRows(db: Db, account_id: number, uuids: readonly string[]): Promise<FileRow[]> {
  return selectFiles(db, account_id)
    .where((eb) => isOneOf(db, eb.ref('files.uuid'), uuids))
    .execute()
}

/** The same rows, locked until the transaction ends; all writers lock in one order. */
export function lockFiles(tx: Tx, account_id: number, uuids: readonly string[]): Promise<FileRow[]> {
  return selectFiles(tx, account_id)
    .where((eb) => isOneOf(tx, eb.ref('files.uuid'), uuids))
    .orderBy('files.uuid')
    .modifyEnd(forUpdate(tx))
    .execute()
}

export const insertFile = (tx: Tx, row: FileRow): Promise<void> => insertRows(tx, 'files', [row])

export const replaceFiles = (tx: Tx, rows: FileRow[]): Promise<void> =>
  replaceRows(tx, 'files', ['account_id', 'uuid'], rows)

export const insertVersion = (tx: Tx, row: FileVersionRow): Promise<void> =>
  insertRows(tx, 'file_versions', [row])

/** The versions of a file, oldest first. */
export function findVersions(db: Db, account_id: number, file_uuid: string): Promise<FileVersionRow[]> {
  return db
    .selectFrom('file_versions')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('file_uuid', '=', file_uuid)
    .orderBy('number')
    .execute()
}

export function findVersion(
  db: Db,
  at: Pick<FileVersionRow, 'account_id' | 'file_uuid' | 'uuid'>,
): Promise<FileVersionRow | undefined> {
  return db
    .selectFrom('file_versions')
    .selectAll()
    .where('account_id', '=', at.account_id)
    .where('file_uuid', '=', at.file_uuid)
    .where('uuid', '=', at.uuid)
    .executeTakeFirst()
}

export const insertPart = (tx: Tx, row: FilePartRow): Promise<void> => insertRows(tx, 'file_parts', [row])

/** The blobs of a version, in their order. */
export function findParts(db: Db, account_id: number, version_uuid: string): Promise<FilePartRow[]> {
  return db
    .selectFrom('file_parts')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('version_uuid', '=', version_uuid)
    .orderBy('start')
    .execute()
}

/** The keys of the parts of these versions of files. */
export async function storedKeys(
  db: Db,
  versions: readonly Pick<FilePartRow, 'account_id' | 'version_uuid'>[],
): Promise<Set<string>> {
  const stored = new Set<string>()
  const seen = new Set<string>()
  for (const { account_id, version_uuid } of versions) {
    const version = `${account_id} ${version_uuid}`
    if (seen.has(version)) continue
    seen.add(version)
    for (const { key } of await findParts(db, account_id, version_uuid)) stored.add(key)
  }
  return stored
}

export function findPart(
  db: Db,
  at: Pick<FilePartRow, 'account_id' | 'version_uuid' | 'start'>,
): Promise<FilePartRow | undefined> {
  return db
    .selectFrom('file_parts')
    .selectAll()
    .where('account_id', '=', at.account_id)
    .where('version_uuid', '=', at.version_uuid)
    .where('start', '=', at.start)
    .executeTakeFirst()
}

export const deleteParts = (tx: Tx, account_id: number, version_uuids: readonly string[]): Promise<void> =>
  deleteRows(
    tx,
    'file_parts',
    version_uuids.map((version_uuid) => ({ account_id, version_uuid })),
  )

/**
 * Stores previews with a version, and with the file if the version is active. Returns false if the version is
 * deleted.
 */
export async function updatePreviews(
  tx: Tx,
  { account_id, file_uuid, version_uuid }: { account_id: number; file_uuid: string; version_uuid: string },
  previews: string,
): Promise<boolean> {
  const [file] = await lockFiles(tx, account_id, [file_uuid])
  if (!file) return false
  await tx
    .updateTable('file_versions')
    .set({ previews })
    .where('account_id', '=', account_id)
    .where('file_uuid', '=', file_uuid)
    .where('uuid', '=', version_uuid)
    .execute()
  if (file.version_uuid === version_uuid) await replaceFiles(tx, [{ ...file, previews }])
  return true
}

/** Some files, of any account, that were moved to the trash by this time; by files_by_deletion. */
export function filesDeletedBefore(db: Db, moment: number, limit: number) {
  return db
    .selectFrom('files')
    .select(['account_id', 'uuid'])
    .where('deleted_at', 'is not', null)
    .where('deleted_at', '<=', moment)
    .orderBy('deleted_at')
    .limit(limit)
    .execute()
}

/** Deletes a file permanently, and returns the bytes of its versions; 0 if another transaction has deleted it. */
export async function deleteFile(tx: Tx, account_id: number, uuid: string): Promise<number> {
  const versions = await tx
    .deleteFrom('file_versions')
    .where('account_id', '=', account_id)
    .where('file_uuid', '=', uuid)
    .returning(['uuid', 'size'])
    .execute()
  await deleteParts(
    tx,
    account_id,
    versions.map((version) => version.uuid),
  )
  await tx.deleteFrom('files').where('account_id', '=', account_id).where('uuid', '=', uuid).execute()
  return versions.reduce((sum, { size }) => sum + size, 0)
}
