import type { Db, Tx } from '../../db/database.ts'
import { cached } from '../../db/prepared.ts'
import type { PasswordLinkRow, SessionRow } from '../../db/tables.ts'

export function insertSession(tx: Tx, session: SessionRow): Promise<unknown> {
  return tx.insertInto('sessions').values(session).execute()
}

/** By the primary key. */
export const findSessionRow = async (db: Db, hash: Buffer): Promise<SessionRow | undefined> =>
  (await sessionRow(db, { hash }))[0]

const sessionRow = cached((db, { hash }: { hash: Buffer }) =>
  db.selectFrom('sessions').selectAll().where('hash', '=', hash),
)

/** The last used sessions of a user; by sessions_by_user. */
export function newestSessionsOf(db: Db, user_id: number, most: number): Promise<SessionRow[]> {
  return db
    .selectFrom('sessions')
    .selectAll()
    .where('user_id', '=', user_id)
    .orderBy('seen_at', 'desc')
    .orderBy('created_at', 'desc')
    .limit(most)
    .execute()
}

export function updateSession(tx: Tx, hash: Buffer, changes: Partial<SessionRow>): Promise<unknown> {
  return tx.updateTable('sessions').set(changes).where('hash', '=', hash).execute()
}

export function deleteSession(tx: Tx, hash: Buffer): Promise<unknown> {
  return tx.deleteFrom('sessions').where('hash', '=', hash).execute()
}

/** Deletes all sessions of a user but `except`; by sessions_by_user. */
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

/** Mostly by sessions_by_age; only sessions in use on their last day need `created_at`. */
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

/** Deletes the setting if it has this value. Of several concurrent calls, only one returns true. */
export async function consumeSetting(tx: Tx, name: string, value: string): Promise<boolean> {
  const rows = await tx
    .deleteFrom('settings')
    .where('name', '=', name)
    .where('value', '=', value)
    .returning('name')
    .execute()
  return rows.length === 1
}

/** Replaces the person's link: there is at most one. */
export function writePasswordLink(tx: Tx, link: PasswordLinkRow): Promise<unknown> {
  return tx
    .insertInto('password_links')
    .values(link)
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(link))
    .execute()
}

/** By the unique hash. */
export function findPasswordLink(db: Db, hash: Buffer): Promise<PasswordLinkRow | undefined> {
  return db.selectFrom('password_links').selectAll().where('hash', '=', hash).executeTakeFirst()
}

/** Deletes a link by its unique hash and returns it. A concurrent second transaction waits, then finds none. */
export function consumePasswordLink(tx: Tx, hash: Buffer): Promise<PasswordLinkRow | undefined> {
  return tx.deleteFrom('password_links').where('hash', '=', hash).returningAll().executeTakeFirst()
}

/** Returns whether there was a link. */
export async function deletePasswordLink(tx: Tx, user_id: number): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('password_links')
    .where('user_id', '=', user_id)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0
}

export function deleteExpiredPasswordLinks(tx: Tx, now: number): Promise<unknown> {
  return tx.deleteFrom('password_links').where('expires_at', '<=', now).execute()
}
