import { type SelectQueryBuilder, sql } from 'kysely'
import type { Db, Tx } from '../db/database.ts'
import { forUpdate, isOneOf, withoutMembers, withoutNumbers } from '../db/dialect.ts'
import { deleteRows, insertMissingRows, replaceRows } from '../db/row-sets.ts'
import type { FieldKeyRow, FieldValuesRow, Tables } from '../db/tables.ts'
import { enumKey } from './value-kinds.ts'

export const writeValues = (tx: Tx, rows: FieldValuesRow[]): Promise<void> =>
  replaceRows(tx, 'field_values', ['account_id', 'entity_id'], rows)

export const insertKeys = (tx: Tx, rows: FieldKeyRow[]): Promise<void> =>
  insertMissingRows(tx, 'field_keys', rows)

export const deleteKeys = (tx: Tx, rows: FieldKeyRow[]): Promise<void> => deleteRows(tx, 'field_keys', rows)

export function valuesOfEntities(
  db: Db,
  account_id: number,
  entity_ids: number[],
): Promise<Pick<FieldValuesRow, 'entity_id' | 'field_values'>[]> {
  return db
    .selectFrom('field_values')
    .select(['entity_id', 'field_values'])
    .where('account_id', '=', account_id)
    .where((eb) => isOneOf(db, eb.ref('entity_id'), entity_ids))
    .execute()
}

/** A scalar subquery for select lists: the JSON text of the values of the record that the column names, or null. */
export function storedValuesColumn(db: Db, account_column: string, id_column: string) {
  return db
    .selectFrom('field_values')
    .select('field_values.field_values')
    .where('field_values.account_id', '=', sql.ref<number>(account_column))
    .where('field_values.entity_id', '=', sql.ref<number>(id_column))
}

/** What a filter asks of one field: any of the keys, or a range of them, its ends included. */
export interface FieldFilter {
  field_id: number
  keys: string[] | null
  from: string | null
  to: string | null
}

/**
 * Ids of the records that a filter finds, for `in (...)` or for a join. With one key they come in their order and
 * without repeats, from the primary key; otherwise a record that has several of the values comes several times.
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

/** The records that have in a field the key that stands in a column: looked up for each row of another query. */
export function keyHolders(db: Db, account_id: number, field_id: number, key_column: string) {
  return db
    .selectFrom('field_keys')
    .where('field_keys.account_id', '=', account_id)
    .where('field_keys.field_id', '=', field_id)
    .where('field_keys.key', '=', sql.ref<string>(key_column))
}

/** How many records have a value in a field; by the primary key of field_keys. */
export async function countHolders(db: Db, account_id: number, field_id: number): Promise<number> {
  const { holders } = await db
    .selectFrom('field_keys')
    .select((eb) => eb.fn.count<number>('field_keys.entity_id').distinct().as('holders'))
    .where('field_keys.account_id', '=', account_id)
    .where('field_keys.field_id', '=', field_id)
    .executeTakeFirstOrThrow()
  return Number(holders)
}

/** Takes all values from these records; what they are found by goes with the fields. */
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

/** Takes the values of these fields from every record that has some. */
export async function deleteValuesOfFields(tx: Tx, account_id: number, field_ids: number[]): Promise<void> {
  if (field_ids.length === 0) return
  const keys = tx
    .selectFrom('field_keys')
    .where('account_id', '=', account_id)
    .where('field_id', 'in', field_ids)
  await tx
    .updateTable('field_values')
    .set({ field_values: withoutMembers(tx, 'field_values', field_ids.map(String)) })
    .where('account_id', '=', account_id)
    .where('entity_id', 'in', heldRecords(tx, account_id, keys.select('entity_id')))
    .execute()
  await tx
    .deleteFrom('field_keys')
    .where('account_id', '=', account_id)
    .where('field_id', 'in', field_ids)
    .execute()
}

/** Takes these choices of a field from every record that has made one of them. */
export async function deleteChoices(
  tx: Tx,
  account_id: number,
  field_id: number,
  enum_ids: number[],
): Promise<void> {
  const gone = enum_ids.map(enumKey)
  const keys = tx
    .selectFrom('field_keys')
    .where('account_id', '=', account_id)
    .where('field_id', '=', field_id)
    .where('key', 'in', gone)
  await tx
    .updateTable('field_values')
    .set({ field_values: withoutNumbers(tx, 'field_values', String(field_id), enum_ids) })
    .where('account_id', '=', account_id)
    .where('entity_id', 'in', heldRecords(tx, account_id, keys.select('entity_id')))
    .execute()
  await tx
    .deleteFrom('field_keys')
    .where('account_id', '=', account_id)
    .where('field_id', '=', field_id)
    .where('key', 'in', gone)
    .execute()
}

type KeysFound = SelectQueryBuilder<Tables, 'field_keys', { entity_id: number }>

/** Locked in the order of their ids, as saveValues writes them: then neither waits for the other in a circle. */
const heldRecords = (tx: Tx, account_id: number, found: KeysFound) =>
  tx
    .selectFrom('field_values')
    .select('entity_id')
    .where('account_id', '=', account_id)
    .where('entity_id', 'in', found)
    .orderBy('entity_id')
    .modifyEnd(forUpdate(tx))
