import { type Actor, lockAccount, requireAdmin } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import type { Tx } from '../db/database.ts'
import type { AccountRow } from '../db/tables.ts'
import { collectFaults, noSuch } from '../errors.ts'
import { nameOfItem } from '../http/bodies/validation.ts'

/**
 * Runs a change of the account's settings, for administrators. Changes run one after the other, so that counts stay
 * correct.
 */
export async function administrate<T>(
  ctx: Context,
  actor: Actor,
  change: (tx: Tx, account: AccountRow) => Promise<T>,
): Promise<T> {
  requireAdmin(actor)
  return ctx.db.transaction().execute(async (tx) => change(tx, await lockAccount(tx, actor.account_id)))
}

/** Refuses a batch that names something that is not among these ids. */
export function requireNamed(
  named: readonly { id: number; request_id?: string | number | undefined }[],
  known: ReadonlySet<number>,
  name: string,
): void {
  const { about, refuse } = collectFaults()
  for (const [i, item] of named.entries())
    if (!known.has(item.id)) about(nameOfItem(item, i))('NotSupportedChoice', 'id', noSuch(name))
  refuse()
}
