import { type Actor, lockAccount, requireAdmin } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import type { Tx } from '../db/database.ts'
import type { AccountRow } from '../db/tables.ts'

/** A change of the account's settings: for administrators, and one after the other, so that what was counted stays true. */
export async function administrate<T>(
  ctx: Context,
  actor: Actor,
  change: (tx: Tx, account: AccountRow) => Promise<T>,
): Promise<T> {
  requireAdmin(actor)
  return ctx.db.transaction().execute(async (tx) => change(tx, await lockAccount(tx, actor.account_id)))
}
