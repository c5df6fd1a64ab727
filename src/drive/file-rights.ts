import type { Actor } from '../accounts/accounts.ts'
import type { FileRow } from '../db/tables.ts'
import { type Fault, Refusal } from '../errors.ts'

/**
 * Files are the account's: every member sees and uploads them. What is there already is changed by who brought it and by
 * administrators. A token needs the permission `files`, and for the trash `files_delete` too (A12).
 */
export function requirePermission(actor: Actor, permission: 'files' | 'files_delete'): void {
  if (actor.integration && !actor.integration.scopes.includes(permission))
    throw new Refusal('forbidden', "Client doesn't have the required scope")
}

export const noFile = (): Refusal => new Refusal('not_found', 'There is no such file.')

export function requireOwn(actor: Actor, files: readonly FileRow[]): void {
  if (!actor.is_admin && files.some(({ created_by }) => created_by !== actor.user_id))
    throw new Refusal('forbidden', 'Insufficient rights to call this method')
}

/** The files in the order in which a batch names them; who names one that is not there is told which (N2a). */
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
            detail: 'The value you selected is not a valid choice.',
          },
        ],
  )
  if (faults.length > 0) throw new Refusal('invalid', 'Request validation failed', { faults })
  return named.map(({ uuid }) => found.get(uuid) as FileRow)
}
