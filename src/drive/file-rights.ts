import { type Expression, type SqlBool, sql } from 'kysely'
import { type Actor, insufficientScope } from '../accounts/accounts.ts'
import type { Db } from '../db/database.ts'
import type { FileRow } from '../db/tables.ts'
import { type Fault, noSuch, Refusal } from '../errors.ts'
import { findFileRows, selectFiles } from './queries.ts'

/**
 * Conditions on a row of `files`; each is true if the file is on a card or in a chat that the actor can see. Cards
 * and chats are above files, so their slices provide the conditions and the surface passes them in.
 */
export type FileUses = (db: Db, actor: Actor) => Promise<Expression<SqlBool>[]>

/**
 * The condition for the files that the actor can see (D1): files on visible cards and in visible chats, and their
 * own uploads. Null for administrators, who see all files.
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

/** Returns a file that the actor can see, in the trash or not, or throws Refusal('not_found'). */
export async function visibleFile(db: Db, actor: Actor, uses: FileUses, uuid: string): Promise<FileRow> {
  const [file] = await findFileRows(db, actor.account_id, [uuid])
  if (!file || (await hiddenFiles(db, actor, uses, [file])).size > 0) throw fileNotFound()
  return file
}

/** The uuids of these files that are hidden from the actor. */
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
 * Only the uploader and administrators can change an existing file. A token needs the permission `files`, and for
 * the trash also `files_delete` (A12).
 */
export function requirePermission(actor: Actor, permission: 'files' | 'files_delete'): void {
  if (actor.integration && !actor.integration.scopes.includes(permission)) throw insufficientScope(permission)
}

export const fileNotFound = (): Refusal => new Refusal('not_found', 'File not found.')

export function requireOwn(actor: Actor, files: readonly FileRow[]): void {
  if (!actor.is_admin && files.some(({ created_by }) => created_by !== actor.user_id))
    throw new Refusal('forbidden', 'Insufficient rights to call this method')
}

/** Returns the files in the order of the batch, or reports the unknown ones (R6). */
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
