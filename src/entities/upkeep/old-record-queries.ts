import { sql } from 'kysely'
import { storedValuesColumn } from '../../custom-fields/custom-fields.ts'
import { readInBackground } from '../../db/background-reads.ts'
import type { Db, Tx } from '../../db/database.ts'
import { forUpdate, isOneOf } from '../../db/dialect.ts'
import { deleteRows } from '../../db/row-sets.ts'
import type { EntityRow, LinkRow } from '../../db/tables.ts'
import type { EntityType } from '../records/entity-types.ts'

/** A record in the trash. `has_values` says whether it has field values or tags. */
export type TrashedRecord = Pick<EntityRow, 'id' | 'updated_at' | 'merged_into'> & { has_values: number }

/** The records of a kind that are in the trash for longest, merged ones too; a range of entities_in_trash. */
export function oldTrashed(
  db: Db,
  { account_id, before, limit }: { account_id: number; before: number; limit: number },
  type: EntityType,
  [at, id]: readonly [at: number, id: number],
): Promise<TrashedRecord[]> {
  const values = storedValuesColumn(db, account_id, 'entities.id')
  const tags = db
    .selectFrom('entity_tags')
    .select(sql.lit(1).as('one'))
    .where('entity_tags.account_id', '=', account_id)
    .where('entity_tags.entity_id', '=', sql.ref<number>('entities.id'))
    .limit(1)
  return readInBackground(
    db,
    account_id,
    db
      .selectFrom('entities')
      .select(['id', 'updated_at', 'merged_into'])
      .select(sql<number>`case when ${values} is null and ${tags} is null then 0 else 1 end`.as('has_values'))
      .where('account_id', '=', account_id)
      .where('entity_type', '=', sql.lit(type))
      .where('is_deleted', '=', sql.lit(1))
      .where('updated_at', '<', before)
      .where(sql<boolean>`(updated_at, id) > (${at}, ${id})`)
      .orderBy('updated_at')
      .orderBy('id')
      .limit(limit),
  )
}

/** Those of these records that are still in the trash and unchanged; locked. By the primary key. */
export function lockTrashed(
  tx: Tx,
  { account_id, before }: { account_id: number; before: number },
  type: EntityType,
  ids: readonly number[],
): Promise<EntityRow[]> {
  return tx
    .selectFrom('entities')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('entity_type', '=', type)
    .where((eb) => isOneOf(tx, eb.ref('id'), ids))
    .where('is_deleted', '=', 1)
    .where('updated_at', '<', before)
    .orderBy('id')
    .modifyEnd(forUpdate(tx))
    .execute()
}

/** The records that were merged into these, directly; by entities_by_merge. */
export function mergedInto(
  db: Db,
  account_id: number,
  ids: readonly number[],
): Promise<Pick<EntityRow, 'id' | 'merged_into'>[]> {
  return readInBackground(
    db,
    account_id,
    db
      .selectFrom('entities')
      .select(['id', 'merged_into'])
      .where('account_id', '=', account_id)
      .where((eb) => isOneOf(db, eb.ref('merged_into'), ids)),
  )
}

/** Deletes the tags of records; by the primary key. */
export async function deleteTagsOf(tx: Tx, account_id: number, ids: readonly number[]): Promise<void> {
  await tx
    .deleteFrom('entity_tags')
    .where('account_id', '=', account_id)
    .where((eb) => isOneOf(tx, eb.ref('entity_id'), ids))
    .execute()
}

/** Deletes the links of records in both directions; by the primary key. */
export async function deleteLinksOf(tx: Tx, account_id: number, ids: readonly number[]): Promise<void> {
  const links = await tx
    .selectFrom('links')
    .select(['entity_id', 'to_entity_id'])
    .where('account_id', '=', account_id)
    .where((eb) => isOneOf(tx, eb.ref('entity_id'), ids))
    .execute()
  const keys = links.flatMap(({ entity_id, to_entity_id }): Partial<LinkRow>[] => [
    { account_id, entity_id, to_entity_id },
    { account_id, entity_id: to_entity_id, to_entity_id: entity_id },
  ])
  await deleteRows(tx, 'links', keys)
}

/** Deletes the purchases of customers, by transactions_by_customer, and their memberships of segments. */
export async function deletePurchasesOf(
  tx: Tx,
  account_id: number,
  ids: readonly number[],
): Promise<number[]> {
  await tx
    .deleteFrom('segment_members')
    .where('account_id', '=', account_id)
    .where((eb) => isOneOf(tx, eb.ref('entity_id'), ids))
    .execute()
  const gone = await tx
    .deleteFrom('transactions')
    .where('account_id', '=', account_id)
    .where((eb) => isOneOf(tx, eb.ref('customer_id'), ids))
    .returning('id')
    .execute()
  return gone.map(({ id }) => id)
}

export const deleteEntityRows = (tx: Tx, rows: readonly EntityRow[]): Promise<void> =>
  deleteRows(
    tx,
    'entities',
    rows.map(({ account_id, entity_type, id }) => ({ account_id, entity_type, id })),
  )
