import { sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'
import { holds, isOneOf } from '../../db/dialect.ts'
import { batched } from '../../db/prepared.ts'
import { deleteRows, insertMissingRows, replaceRows } from '../../db/row-sets.ts'
import type { FieldKeyRow, FieldValuesRow } from '../../db/tables.ts'

export const writeValues = (tx: Tx, rows: FieldValuesRow[]): Promise<void> =>
  replaceRows(tx, 'field_values', ['account_id', 'entity_id'], rows)

export const insertKeys = (tx: Tx, rows: FieldKeyRow[]): Promise<void> =>
  insertMissingRows(tx, 'field_keys', rows)

export const deleteKeys = (tx: Tx, rows: FieldKeyRow[]): Promise<void> => deleteRows(tx, 'field_keys', rows)

export const valuesOfEntities: (
  db: Db,
  at: { account_id: number; entity_ids: readonly number[] },
) => Promise<Pick<FieldValuesRow, 'entity_id' | 'field_values'>[]> = batched((db, at) =>
  db
    .selectFrom('field_values')
    .select(['entity_id', 'field_values'])
    .where('account_id', '=', at.account_id)
    .where((eb) => isOneOf(db, eb.ref('entity_id'), at.entity_ids)),
)

/** A scalar subquery for select lists: the JSON text of the record's values, or null. */
export function storedValuesColumn(db: Db, account_id: number, id_column: string) {
  return db
    .selectFrom('field_values')
    .select('field_values.field_values')
    .where('field_values.account_id', '=', account_id)
    .where('field_values.entity_id', '=', sql.ref<number>(id_column))
}

/** A filter on one field: any of the keys, or an inclusive range. */
export interface FieldFilter {
  field_id: number
  keys: string[] | null
  from: string | null
  to: string | null
}

/**
 * Ids of the records that match a filter, for `in (...)` or a join. With one key, they come from the primary key in
 * order and without duplicates. Otherwise a record with several matching values occurs several times.
 */
export function filteredIds(db: Db, account_id: number, { field_id, keys, from, to }: FieldFilter) {
  let found = db
    .selectFrom('field_keys')
    .select('field_keys.entity_id')
    .where('field_keys.account_id', '=', account_id)
    .where('field_keys.field_id', '=', field_id)
  if (keys?.length === 1) found = found.where('field_keys.key', '=', keys[0] as string)
  else if (keys) found = found.where('field_keys.key', 'in', keys)
  if (from !== null) found = found.where('field_keys.key', '>=', from)
  if (to !== null) found = found.where('field_keys.key', '<=', to)
  return found
}

/** The condition that a filter with keys finds the record whose id is in a column; by the primary key of field_keys. */
export const hasKey = (db: Db, account_id: number, filter: FieldFilter, id_column: string) =>
  holds(
    filteredIds(db, account_id, filter)
      .clearSelect()
      .select(sql.lit(1).as('one'))
      .where('field_keys.entity_id', '=', sql.ref<number>(id_column))
      .limit(1),
  )

/** Records whose field has the key in a column of the outer query; looked up for each of its rows. */
export function keyHolders(db: Db, account_id: number, field_id: number, key_column: string) {
  return db
    .selectFrom('field_keys')
    .where('field_keys.account_id', '=', account_id)
    .where('field_keys.field_id', '=', field_id)
    .where('field_keys.key', '=', sql.ref<string>(key_column))
}

/** The newest records with an id below `before` that have a file in a field; by the primary key of field_keys. */
export async function holdersOfFile(
  db: Db,
  { account_id, field_id, uuid }: { account_id: number; field_id: number; uuid: string },
  { before, most }: { before: number; most: number },
): Promise<number[]> {
  const rows = await db
    .selectFrom('field_keys')
    .select('entity_id')
    .where('account_id', '=', account_id)
    .where('field_id', '=', field_id)
    .where('key', '=', uuid)
    .where('entity_id', '<', before)
    .orderBy('entity_id', 'desc')
    .limit(most)
    .execute()
  return rows.map(({ entity_id }) => entity_id)
}

/** Counts the records with a value in a field; by the primary key of field_keys. */
export async function countHolders(db: Db, account_id: number, field_id: number): Promise<number> {
  const { holders } = await db
    .selectFrom('field_keys')
    .select((eb) => eb.fn.count<number>('field_keys.entity_id').distinct().as('holders'))
    .where('field_keys.account_id', '=', account_id)
    .where('field_keys.field_id', '=', field_id)
    .executeTakeFirstOrThrow()
  return Number(holders)
}

/** Deletes all values of these records. Their keys are deleted with the fields. */
export async function deleteValuesOfEntities(
  tx: Tx,
  account_id: number,
  entity_ids: readonly number[],
): Promise<void> {
  await tx
    .deleteFrom('field_values')
    .where('account_id', '=', account_id)
    .where((eb) => isOneOf(tx, eb.ref('entity_id'), entity_ids))
    .execute()
}
