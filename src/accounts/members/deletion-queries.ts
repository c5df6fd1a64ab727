import type { Db, Tx } from '../../db/database.ts'
import { forUpdate } from '../../db/dialect.ts'

/** Ends every membership of an account, so that no session, token or job acts in it any more. */
export async function endMemberships(tx: Tx, account_id: number): Promise<void> {
  await tx.deleteFrom('members').where('account_id', '=', account_id).execute()
}

/**
 * Locks an account until the transaction ends: no row that refers to it can be inserted meanwhile. Returns false if there is no
 * such account.
 */
export async function lockForDeletion(tx: Tx, account_id: number): Promise<boolean> {
  const row = await tx
    .selectFrom('accounts')
    .select('id')
    .where('id', '=', account_id)
    .modifyEnd(forUpdate(tx))
    .executeTakeFirst()
  return row !== undefined
}

/** Deletes the row of an account that has no other rows. */
export async function deleteAccountRow(tx: Tx, account_id: number): Promise<void> {
  await tx.deleteFrom('accounts').where('id', '=', account_id).execute()
}

/** The number of people of an account who were never in another one. */
export async function countOwnPeople(db: Db, account_id: number): Promise<number> {
  const { count } = await db
    .selectFrom('members')
    .where('account_id', '=', account_id)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('members as other')
            .whereRef('other.user_id', '=', 'members.user_id')
            .where('other.account_id', '!=', account_id)
            .select('other.user_id'),
        ),
      ),
    )
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Deletes the people who are in no account, and returns their number. */
export async function deletePeopleWithoutAccount(tx: Tx): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('users')
    .where((eb) =>
      eb.not(
        eb.exists(
          eb.selectFrom('members').whereRef('members.user_id', '=', 'users.id').select('members.user_id'),
        ),
      ),
    )
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
