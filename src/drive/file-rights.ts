import { type Expression, type SqlBool, sql } from 'kysely'
import { type Actor, insufficientScope } from '../accounts/accounts.ts'
import type { Db } from '../db/database.ts'
import type { FileRow } from '../db/tables.ts'
import { type Fault, noSuch, Refusal } from '../errors.ts'
import { findFileRows, selectFiles } from './queries.ts'

/**
 * Conditions on a row of `files`, each of which says that the file is on a card or in a chat that the actor may see. Cards
 * and chats are above files: their slices state the conditions, and the surface brings them together.
 */
export type FileUses = (db: Db, actor: Actor) => Promise<Expression<SqlBool>[]>

/**
 * The files that somebody may see (D1): those on a card or in a chat that they may see, and their own uploads.
 * Administrators see all. Null where nothing is hidden.
 */
export async function visibleFilesCondition(
  db: Db,
  actor: Actor,
  uses: FileUses,
): Promise<Expression<SqlBool> | null> {
  if (actor.is_admin) return null
  const own = sql<SqlBool>`files.created_by = ${actor.user_id}`
  return sql<SqlBool>`(${sql.join([own, ...(await uses(db, actor))], sql` or `)})`
}

/** The file when the actor may see it, in the trash or not, else Refusal('not_found'). */
export async function visibleFile(db: Db, actor: Actor, uses: FileUses, uuid: string): Promise<FileRow> {
  const [file] = await findFileRows(db, actor.account_id, [uuid])
  if (!file || (await hiddenFiles(db, actor, uses, [file])).size > 0) throw noFile()
  return file
}

/** The uuids of those of some files that the actor may not see. */
export async function hiddenFiles(
  db: Db,
  actor: Actor,
  uses: FileUses,
  files: readonly FileRow[],
): Promise<Set<string>> {
  const foreign = files.filter(({ created_by }) => created_by !== actor.user_id).map(({ uuid }) => uuid)
  if (foreign.length === 0) return new Set()
  const seen = await visibleFilesCondition(db, actor, uses)
  if (!seen) return new Set()
  const rows = await selectFiles(db, actor.account_id, foreign).where(seen).execute()
  const visible = new Set(rows.map(({ uuid }) => uuid))
  return new Set(foreign.filter((uuid) => !visible.has(uuid)))
}

/**
 * What is there already is changed by who uploaded it and by administrators. A token needs the permission `files`, and for
 * the trash `files_delete` too (A12).
 */
export function requirePermission(actor: Actor, permission: 'files' | 'files_delete'): void {
  if (actor.integration && !actor.integration.scopes.includes(permission)) throw insufficientScope(permission)
}

export const noFile = (): Refusal => new Refusal('not_found', 'There is no such file.')

export function requireOwn(actor: Actor, files: readonly FileRow[]): void {
  if (!actor.is_admin && files.some(({ created_by }) => created_by !== actor.user_id))
    throw new Refusal('forbidden', 'Insufficient rights to call this method')
}

/** The files in the order in which a batch names them; who names one that is not there is told which (R6). */
export function requireNamed(
  named: readonly { uuid: string }[],
  found: ReadonlyMap<string, FileRow>,
): FileRow[] {
  const faults = named.flatMap(({ uuid }, i): Fault[] =>
    found.has(uuid)
      ? []
      : [
          {
            request_id: String(i),
            code: 'NotSupportedChoice',
            path: 'uuid',
            detail: noSuch('file'),
          },
        ],
  )
  if (faults.length > 0) throw new Refusal('invalid', 'Request validation failed', { faults })
  return named.map(({ uuid }) => found.get(uuid) as FileRow)
}
