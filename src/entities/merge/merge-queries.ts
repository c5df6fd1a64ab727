import type { Db, Tx } from '../../db/database.ts'
import { isOneOf } from '../../db/dialect.ts'
import type { LinkRow } from '../../db/tables.ts'

/** The links of these records, from their side, up to a limit; by the primary key. */
export function linksOfRecords(
  db: Db,
  account_id: number,
  ids: readonly number[],
  most: number,
): Promise<LinkRow[]> {
  return db
    .selectFrom('links')
    .selectAll()
    .where('account_id', '=', account_id)
    .where((eb) => isOneOf(db, eb.ref('entity_id'), ids))
    .orderBy('entity_id')
    .orderBy('to_entity_id')
    .limit(most)
    .execute()
}

/** Links of one record to these records or kinds; by the primary key. */
export function linksBeside(
  db: Db,
  account_id: number,
  id: number,
  to: { ids: readonly number[]; types: readonly string[] },
): Promise<LinkRow[]> {
  return db
    .selectFrom('links')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('entity_id', '=', id)
    .where((eb) =>
      eb.or([isOneOf(db, eb.ref('to_entity_id'), to.ids), isOneOf(db, eb.ref('to_entity_type'), to.types)]),
    )
    .orderBy('to_entity_id')
    .execute()
}

/** Moves the purchases of some customers to another one; by transactions_by_customer. */
export async function moveTransactions(
  tx: Tx,
  account_id: number,
  from_ids: readonly number[],
  to: number,
): Promise<void> {
  await tx
    .updateTable('transactions')
    .set({ customer_id: to })
    .where('account_id', '=', account_id)
    .where((eb) => isOneOf(tx, eb.ref('customer_id'), from_ids))
    .execute()
}

/** Follows merges to the final survivor; the record itself if it was not merged. */
export async function findSurvivor(
  db: Db,
  account_id: number,
  entity_type: string,
  id: number,
): Promise<number | undefined> {
  const found = await db
    .withRecursive('standing(id, is_deleted, merged_into)', (cte) =>
      cte
        .selectFrom('entities')
        .select(['entities.id', 'entities.is_deleted', 'entities.merged_into'])
        .where('entities.account_id', '=', account_id)
        .where('entities.entity_type', '=', entity_type)
        .where('entities.id', '=', id)
        .unionAll(
          cte
            .selectFrom('standing')
            .innerJoin('entities', (join) =>
              join
                .on('entities.account_id', '=', account_id)
                .on('entities.entity_type', '=', entity_type)
                .onRef('entities.id', '=', 'standing.merged_into'),
            )
            .select(['entities.id', 'entities.is_deleted', 'entities.merged_into']),
        ),
    )
    .selectFrom('standing')
    .select('standing.id')
    .where('standing.is_deleted', '=', 0)
    .executeTakeFirst()
  return found?.id
}

/** The records merged into this one, directly or indirectly; by entities_by_merge. */
export async function findAbsorbed(db: Db, account_id: number, id: number, most: number): Promise<number[]> {
  const rows = await db
    .withRecursive('absorbed(id)', (cte) =>
      cte
        .selectFrom('entities')
        .select('entities.id')
        .where('entities.account_id', '=', account_id)
        .where('entities.merged_into', '=', id)
        .unionAll(
          cte
            .selectFrom('absorbed')
            .innerJoin('entities', (join) =>
              join
                .on('entities.account_id', '=', account_id)
                .onRef('entities.merged_into', '=', 'absorbed.id'),
            )
            .select('entities.id'),
        ),
    )
    .selectFrom('absorbed')
    .select('absorbed.id')
    .limit(most)
    .execute()
  return rows.map((row) => row.id)
}
