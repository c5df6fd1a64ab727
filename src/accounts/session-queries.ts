import type { Db, Tx } from '../db/database.ts'
import type { SessionRow } from '../db/tables.ts'

export function insertSession(tx: Tx, session: SessionRow): Promise<unknown> {
  return tx.insertInto('sessions').values(session).execute()
}

/** By the primary key. */
export function findSessionRow(db: Db, hash: Buffer): Promise<SessionRow | undefined> {
  return db.selectFrom('sessions').selectAll().where('hash', '=', hash).executeTakeFirst()
}

export function updateSession(tx: Tx, hash: Buffer, changes: Partial<SessionRow>): Promise<unknown> {
  return tx.updateTable('sessions').set(changes).where('hash', '=', hash).execute()
}

export function deleteSession(tx: Tx, hash: Buffer): Promise<unknown> {
  return tx.deleteFrom('sessions').where('hash', '=', hash).execute()
}

/** By sessions_by_user. `except`: the session that goes on. */
export function deleteSessionsOf(tx: Tx, user_id: number, except: Buffer | null): Promise<unknown> {
  const all = tx.deleteFrom('sessions').where('user_id', '=', user_id)
  return (except ? all.where('hash', '<>', except) : all).execute()
}

export function deleteSessionsIn(tx: Tx, account_id: number, user_id: number): Promise<unknown> {
  return tx
    .deleteFrom('sessions')
    .where('user_id', '=', user_id)
    .where('account_id', '=', account_id)
    .execute()
}

/** By sessions_by_age, but for the few that are in use to their last day. */
export function deleteExpiredSessions(tx: Tx, seen_before: number, created_before: number): Promise<unknown> {
  return tx
    .deleteFrom('sessions')
    .where((eb) => eb.or([eb('seen_at', '<=', seen_before), eb('created_at', '<=', created_before)]))
    .execute()
}

export async function readSetting(db: Db, name: string): Promise<string | undefined> {
  const row = await db.selectFrom('settings').select('value').where('name', '=', name).executeTakeFirst()
  return row?.value
}

export function writeSetting(tx: Tx, name: string, value: string): Promise<unknown> {
  return tx
    .insertInto('settings')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute()
}

/** Whether the setting had that value, and has none now: of several that try at once, one is told so. */
export async function takeSetting(tx: Tx, name: string, value: string): Promise<boolean> {
  const rows = await tx
    .deleteFrom('settings')
    .where('name', '=', name)
    .where('value', '=', value)
    .returning('name')
    .execute()
  return rows.length === 1
}
