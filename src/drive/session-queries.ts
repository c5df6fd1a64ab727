import { sql } from 'kysely'
import { NO_ACCOUNT, readInBackground } from '../db/background-reads.ts'
import type { Db, Tx } from '../db/database.ts'
import { forUpdate } from '../db/dialect.ts'
import { insertMissingRows, insertRows } from '../db/row-sets.ts'
import type { UploadSessionRow } from '../db/tables.ts'

type SessionKey = Pick<UploadSessionRow, 'account_id' | 'id'>

export const insertSession = (tx: Tx, row: UploadSessionRow): Promise<void> =>
  insertRows(tx, 'upload_sessions', [row])

export function findSessionByToken(
  db: Db,
  account_id: number,
  token_hash: Buffer,
): Promise<UploadSessionRow | undefined> {
  return db
    .selectFrom('upload_sessions')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('token_hash', '=', token_hash)
    .executeTakeFirst()
}

export function lockSession(tx: Tx, at: SessionKey): Promise<UploadSessionRow | undefined> {
  return tx
    .selectFrom('upload_sessions')
    .selectAll()
    .where('account_id', '=', at.account_id)
    .where('id', '=', at.id)
    .modifyEnd(forUpdate(tx))
    .executeTakeFirst()
}

export async function updateSession(
  tx: Tx,
  at: SessionKey,
  change: Partial<Pick<UploadSessionRow, 'received' | 'parts' | 'is_finished' | 'file_uuid' | 'expires_at'>>,
): Promise<void> {
  await tx
    .updateTable('upload_sessions')
    .set(change)
    .where('account_id', '=', at.account_id)
    .where('id', '=', at.id)
    .execute()
}

/** Open uploads of one caller, oldest first; by upload_sessions_of_caller. */
export function openSessionsOf(
  db: Db,
  { account_id, caller, now }: { account_id: number; caller: string; now: number },
): Promise<UploadSessionRow[]> {
  return db
    .selectFrom('upload_sessions')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('caller', '=', caller)
    .where('expires_at', '>', now)
    .where('is_finished', '=', sql.lit(0 as const))
    .orderBy('expires_at')
    .orderBy('id')
    .execute()
}

/** Open uploads of an account that have received nothing and expire by this time, oldest first. */
export function idleSessions(
  db: Db,
  { account_id, ends_before, now }: { account_id: number; ends_before: number; now: number },
): Promise<UploadSessionRow[]> {
  return db
    .selectFrom('upload_sessions')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('expires_at', '>', now)
    .where('expires_at', '<', ends_before)
    .where('is_finished', '=', sql.lit(0 as const))
    .where('received', '=', 0)
    .orderBy('expires_at')
    .orderBy('id')
    .execute()
}

/** Some sessions, of any account, that expired by this time; by upload_sessions_by_end. */
export function sessionsEndedBefore(db: Db, moment: number, limit: number): Promise<UploadSessionRow[]> {
  return db
    .selectFrom('upload_sessions')
    .selectAll()
    .where('expires_at', '<=', moment)
    .orderBy('expires_at')
    .limit(limit)
    .execute()
}

/**
 * Deletes a session, and returns its reserved bytes; 0 if another transaction has deleted it, or with `ifEmpty` if it has
 * received a part meanwhile.
 */
export async function deleteSession(
  tx: Tx,
  at: SessionKey,
  { ifEmpty = false }: { ifEmpty?: boolean } = {},
): Promise<number> {
  const row = await tx
    .deleteFrom('upload_sessions')
    .where('account_id', '=', at.account_id)
    .where('id', '=', at.id)
    .$if(ifEmpty, (query) => query.where('received', '=', 0))
    .returning(['size', 'is_finished'])
    .executeTakeFirst()
  return row?.is_finished === 0 ? row.size : 0
}

/** The bytes used by an account's files. The row stays locked, so that space is reserved for one upload at a time. */
export async function lockUsage(tx: Tx, account_id: number): Promise<number> {
  await insertMissingRows(tx, 'file_usage', [{ account_id, bytes: 0 }])
  const { bytes } = await tx
    .selectFrom('file_usage')
    .select('bytes')
    .where('account_id', '=', account_id)
    .modifyEnd(forUpdate(tx))
    .executeTakeFirstOrThrow()
  return bytes
}

/** The bytes of all files of an account. */
export async function usedBytes(db: Db, account_id: number): Promise<number> {
  const row = await db
    .selectFrom('file_usage')
    .select('bytes')
    .where('account_id', '=', account_id)
    .executeTakeFirst()
  return row?.bytes ?? 0
}

/** The bytes of the files of all accounts. */
export async function usageOfAll(db: Db): Promise<number> {
  const query = db.selectFrom('file_usage').select((eb) => eb.fn.sum<number | null>('bytes').as('bytes'))
  const [row] = await readInBackground(db, NO_ACCOUNT, query)
  return Number(row?.bytes ?? 0)
}

export async function addUsage(tx: Tx, account_id: number, bytes: number): Promise<void> {
  if (bytes === 0) return
  await tx
    .updateTable('file_usage')
    .set((eb) => ({ bytes: eb('bytes', '+', bytes) }))
    .where('account_id', '=', account_id)
    .execute()
}
