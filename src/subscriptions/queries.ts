import { activeMembers } from '../accounts/accounts.ts'
import type { Db, Tx } from '../db/database.ts'
import { isOneOf } from '../db/dialect.ts'
import { deleteRows, insertMissingRows } from '../db/row-sets.ts'
import type { SubscriptionRow } from '../db/tables.ts'

/** The active members who follow a record, in the order of their ids; by the primary key. */
export async function findFollowers(db: Db, account_id: number, entity_id: number): Promise<number[]> {
  const rows = await db
    .selectFrom('subscriptions')
    .innerJoin(activeMembers(db).as('member'), (join) =>
      join
        .onRef('member.account_id', '=', 'subscriptions.account_id')
        .onRef('member.user_id', '=', 'subscriptions.user_id'),
    )
    .select('subscriptions.user_id')
    .where('subscriptions.account_id', '=', account_id)
    .where('subscriptions.entity_id', '=', entity_id)
    .orderBy('subscriptions.user_id')
    .execute()
  return rows.map(({ user_id }) => user_id)
}

/** The records that a person follows; by subscriptions_by_user. */
export function findFollowed(
  db: Db,
  account_id: number,
  user_id: number,
): Promise<Pick<SubscriptionRow, 'entity_type' | 'entity_id'>[]> {
  return db
    .selectFrom('subscriptions')
    .select(['entity_type', 'entity_id'])
    .where('account_id', '=', account_id)
    .where('user_id', '=', user_id)
    .orderBy('entity_id')
    .execute()
}

export const insertSubscription = (tx: Tx, row: SubscriptionRow): Promise<void> =>
  insertMissingRows(tx, 'subscriptions', [row])

export const deleteSubscription = (
  tx: Tx,
  { account_id, entity_id, user_id }: Pick<SubscriptionRow, 'account_id' | 'entity_id' | 'user_id'>,
): Promise<void> => deleteRows(tx, 'subscriptions', [{ account_id, entity_id, user_id }])

/** Lets the followers of merged records follow the remaining one. */
export async function moveSubscriptions(
  tx: Tx,
  account_id: number,
  from_ids: readonly number[],
  to: number,
): Promise<void> {
  const rows = await tx
    .selectFrom('subscriptions')
    .selectAll()
    .where('account_id', '=', account_id)
    .where((eb) => isOneOf(tx, eb.ref('entity_id'), from_ids))
    .execute()
  const moved = new Map(rows.map((row) => [row.user_id, { ...row, entity_id: to }]))
  await insertMissingRows(tx, 'subscriptions', [...moved.values()])
  for (const row of rows) await deleteSubscription(tx, row)
}

/** Ends the following of records that are being deleted; by the primary key. */
export async function removeSubscriptions(
  tx: Tx,
  account_id: number,
  entity_ids: readonly number[],
): Promise<void> {
  await tx
    .deleteFrom('subscriptions')
    .where('account_id', '=', account_id)
    .where((eb) => isOneOf(tx, eb.ref('entity_id'), entity_ids))
    .execute()
}
