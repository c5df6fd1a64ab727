import { sql } from 'kysely'
import { storedValuesColumn } from '../../custom-fields/custom-fields.ts'
import type { Db, Tx } from '../../db/database.ts'
import { forUpdate, holds, isOneOf } from '../../db/dialect.ts'
import { batched, prepared, preparedByShape } from '../../db/prepared.ts'
import { deleteRows, insertMissingRows, insertRows, replaceRows, updateRows } from '../../db/row-sets.ts'
import type { EntityRow, SearchWordRow } from '../../db/tables.ts'
import { type Access, accessCondition, onlyPerson } from './access.ts'
import type { EntityType } from './entity-types.ts'
import { type ListedEntity, listedColumns } from './listed-columns.ts'
import { nameKey, type Order } from './orders.ts'
import { recordsOfPerson } from './person-queries.ts'

/** A record with its field values as text; null if it has none. */
export interface StoredEntity extends EntityRow {
  field_values: string | null
}

/** All writes use the functions below, so a name and its sort key always match. */
const inOrder = (rows: EntityRow[]): EntityRow[] =>
  rows.map((row) => ({ ...row, name_key: nameKey(row.name) }))

export const insertEntities = (tx: Tx, rows: EntityRow[]): Promise<void> =>
  insertRows(tx, 'entities', inOrder(rows))

const key = ['account_id', 'entity_type', 'id'] as const

export const replaceEntities = (tx: Tx, rows: EntityRow[]): Promise<void> =>
  replaceRows(tx, 'entities', key, inOrder(rows))

/** They change with every other column. */
const signature = ['updated_by', 'updated_by_integration', 'updated_at'] as const

type Changing = Exclude<keyof EntityRow, (typeof key)[number] | (typeof signature)[number]>

/**
 * Columns of a group change together. The database renews the entries of an index if a statement names one of its
 * columns, so a statement names only the groups in which something changed. With single columns, there would be too
 * many different statements (S13).
 */
const groups: Record<
  Changing,
  'name' | 'person' | 'price' | 'stage' | 'trash' | 'task' | 'origin' | 'customer'
> = {
  name: 'name',
  name_key: 'name',
  first_name: 'name',
  last_name: 'name',
  responsible_user_id: 'person',
  price: 'price',
  price_with_minor_units: 'price',
  pipeline_id: 'stage',
  status_id: 'stage',
  loss_reason_id: 'stage',
  closed_at: 'stage',
  is_deleted: 'trash',
  merged_into: 'trash',
  is_unsorted: 'trash',
  closest_task_at: 'task',
  catalog_id: 'origin',
  created_by: 'origin',
  created_by_integration: 'origin',
  created_at: 'origin',
  source_id: 'origin',
  next_price: 'customer',
  next_price_with_minor_units: 'customer',
  next_date: 'customer',
  periodicity: 'customer',
  ltv: 'customer',
  ltv_with_minor_units: 'customer',
  purchases_count: 'customer',
  bonus_points: 'customer',
}
const changing = Object.keys(groups) as Changing[]

/** Writes the changes of existing rows, which the transaction has locked. */
export async function updateEntities(
  tx: Tx,
  changes: readonly { before: EntityRow; row: EntityRow }[],
): Promise<void> {
  if (changes.length === 0) return
  const changed = new Set(
    changing
      .filter((column) => changes.some(({ before, row }) => row[column] !== before[column]))
      .map((column) => groups[column]),
  )
  const columns = [...key, ...signature, ...changing.filter((column) => changed.has(groups[column]))]
  const rows = inOrder(changes.map(({ row }) => row)).map((row) =>
    Object.fromEntries(columns.map((column) => [column, row[column]])),
  )
  await updateRows(tx, 'entities', key, rows)
}

const valuesOfKind = (db: Db, account_id: number, entity_type: EntityType) =>
  db
    .selectFrom('entities')
    .select(storedValuesColumn(db, account_id, 'entities.id').as('field_values'))
    .where('entities.account_id', '=', account_id)
    // A literal, because some indexes are for one kind only.
    .where('entities.entity_type', '=', sql.lit(entity_type))

/** Records of one kind with their values; by the primary key. */
export const selectEntities = (db: Db, account_id: number, entity_type: EntityType) =>
  valuesOfKind(db, account_id, entity_type).selectAll('entities')

/** The same with the columns of a list only, and that of its order. */
export const selectListed = (db: Db, account_id: number, entity_type: EntityType, order: Order['column']) =>
  valuesOfKind(db, account_id, entity_type)
    .select(
      [...new Set<keyof EntityRow>([...listedColumns[entity_type], order])].map(
        (name) => `entities.${name}` as const,
      ),
    )
    .$castTo<ListedEntity>()

const entitiesByIds = preparedByShape(
  (db, at: { account_id: number; ids: readonly number[] }, { type }: { type: EntityType }) =>
    selectEntities(db, at.account_id, type)
      .where((eb) => isOneOf(db, eb.ref('entities.id'), at.ids))
      .orderBy('entities.id'),
)

/** The existing records of these ids, in the trash or not, in the order of ids. */
export function findEntities(
  db: Db,
  account_id: number,
  entity_type: EntityType,
  ids: readonly number[],
): Promise<StoredEntity[]> {
  return entitiesByIds(db, { type: entity_type }, { account_id, ids })
}

const lockedByIds = batched((db, at: { account_id: number; entity_type: string; ids: readonly number[] }) =>
  db
    .selectFrom('entities')
    .selectAll()
    .where('account_id', '=', at.account_id)
    .where('entity_type', '=', at.entity_type)
    .where((eb) => isOneOf(db, eb.ref('id'), at.ids))
    .orderBy('id')
    .modifyEnd(forUpdate(db)),
)

/** The same rows, locked until the transaction ends, in the order of ids to prevent deadlocks. */
export const lockEntities = (
  tx: Tx,
  account_id: number,
  entity_type: string,
  ids: readonly number[],
): Promise<EntityRow[]> => lockedByIds(tx, { account_id, entity_type, ids })

const existingIds = (db: Db, at: { account_id: number; entity_type: string; ids: readonly number[] }) =>
  db
    .selectFrom('entities')
    .select('entities.id')
    .where('entities.account_id', '=', at.account_id)
    .where('entities.entity_type', '=', at.entity_type)
    .where((eb) => isOneOf(db, eb.ref('entities.id'), at.ids))
    .where('entities.is_deleted', '=', 0)
    .orderBy('entities.id')

const allIds = prepared(existingIds)

/** The ids of visible records outside the trash. */
export async function findVisibleIds(
  db: Db,
  access: Access,
  entity_type: EntityType,
  ids: readonly number[],
): Promise<number[]> {
  const condition = accessCondition(access, 'view', entity_type)
  const at = { account_id: access.actor.account_id, entity_type, ids }
  const rows = await (condition ? existingIds(db, at).where(condition).execute() : allIds(db, at))
  return rows.map(({ id }) => id)
}

/**
 * The condition that the record of the kind with the id in a column is visible, in the trash or not; of one list if
 * given.
 */
export function isVisible(
  db: Db,
  access: Access,
  entity_type: EntityType,
  catalog_id: number | null,
  id_column: string,
) {
  const record = coveredRecords(db, access, entity_type, catalog_id)
    .select(sql.lit(1).as('one'))
    .where('seen.id', '=', sql.ref<number>(id_column))
  return holds(record)
}

/** The ids of visible records of the kind; null if there are more than `most`. */
export async function visibleIds(
  db: Db,
  access: Access,
  entity_type: EntityType,
  catalog_id: number | null,
  most: number,
): Promise<number[] | null> {
  const person = onlyPerson(access, entity_type)
  if (person !== null) {
    const of = { account_id: access.actor.account_id, person }
    return recordsOfPerson(db, of, [entity_type], most)(entity_type)
  }
  const ids = coveredRecords(db, access, entity_type, catalog_id).select('seen.id')
  // Counted by the database: reading the ids of many records only to drop them takes much longer.
  if ((await ids.limit(1).offset(most).execute()).length > 0) return null
  return (await ids.limit(most).execute()).map(({ id }) => id)
}

function coveredRecords(db: Db, access: Access, entity_type: EntityType, catalog_id: number | null) {
  const condition = accessCondition(access, 'view', entity_type, 'seen')
  return db
    .selectFrom('entities as seen')
    .where('seen.account_id', '=', access.actor.account_id)
    .where('seen.entity_type', '=', sql.lit(entity_type))
    .$if(catalog_id !== null, (query) => query.where('seen.catalog_id', '=', catalog_id))
    .$if(condition !== null, (query) => query.where(condition as NonNullable<typeof condition>))
}

/** Names of records, in the trash or not; by the primary key. */
export async function namesOf(
  db: Db,
  account_id: number,
  entity_type: EntityType,
  ids: readonly number[],
): Promise<Map<number, string>> {
  const rows = await db
    .selectFrom('entities')
    .select(['id', 'name'])
    .where('account_id', '=', account_id)
    .where('entity_type', '=', entity_type)
    .where((eb) => isOneOf(db, eb.ref('id'), ids))
    .execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** The condition that the record named by two columns is in the trash and not merged into another one. */
export function isInTrash(db: Db, account_id: number, type_column: string, id_column: string) {
  const record = db
    .selectFrom('entities as trashed')
    .select(sql.lit(1).as('one'))
    .where('trashed.account_id', '=', account_id)
    .where('trashed.entity_type', '=', sql.ref<string>(type_column))
    .where('trashed.id', '=', sql.ref<number>(id_column))
    .where('trashed.is_deleted', '=', 1)
    .where('trashed.merged_into', 'is', null)
  return sql<boolean>`exists ${record}`
}

/** The condition that the record with the id in a column exists outside the trash. */
export function isLiveRecord(db: Db, account_id: number, entity_type: EntityType, id_column: string) {
  const record = db
    .selectFrom('entities as standing')
    .select(sql.lit(1).as('one'))
    .where('standing.account_id', '=', account_id)
    .where('standing.entity_type', '=', sql.lit(entity_type))
    .where('standing.id', '=', sql.ref<number>(id_column))
    .where('standing.is_deleted', '=', 0)
  return holds(record)
}

/**
 * A scalar for select lists: 1 if the lead with the id in a column waits as an incoming one, 0 if it does not, and null if
 * it is in the trash or does not exist.
 */
export function incomingMark(db: Db, account_id: number, id_column: string) {
  return db
    .selectFrom('entities as standing')
    .select('standing.is_unsorted as mark')
    .where('standing.account_id', '=', account_id)
    .where('standing.entity_type', '=', sql.lit('leads'))
    .where('standing.id', '=', sql.ref<number>(id_column))
    .where('standing.is_deleted', '=', 0)
}

/** Whether a lead outside the trash is in the pipeline or stage. By entities_by_status. */
export async function hasLeadsIn(
  db: Db,
  account_id: number,
  pipeline_id: number,
  status_id: number | null,
): Promise<boolean> {
  const found = await db
    .selectFrom('entities')
    .select('id')
    .where('account_id', '=', account_id)
    .where('entity_type', '=', 'leads')
    .where('pipeline_id', '=', pipeline_id)
    .where('is_deleted', '=', 0)
    .$if(status_id !== null, (query) => query.where('status_id', '=', status_id))
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/** Whether a customer outside the trash is in the stage. By entities_by_status: customers have no pipeline. */
export async function hasCustomersIn(db: Db, account_id: number, status_id: number): Promise<boolean> {
  const found = await db
    .selectFrom('entities')
    .select('id')
    .where('account_id', '=', account_id)
    .where('entity_type', '=', 'customers')
    .where('pipeline_id', 'is', null)
    .where('status_id', '=', status_id)
    .where('is_deleted', '=', 0)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

export const writeClosestTasks = (
  tx: Tx,
  rows: Pick<EntityRow, 'account_id' | 'entity_type' | 'id' | 'closest_task_at'>[],
): Promise<void> => updateRows(tx, 'entities', ['account_id', 'entity_type', 'id'], rows)

export const insertWords = (tx: Tx, rows: SearchWordRow[]): Promise<void> =>
  insertMissingRows(tx, 'search_words', rows)

export const deleteWords = (tx: Tx, rows: SearchWordRow[]): Promise<void> =>
  deleteRows(tx, 'search_words', rows)

/** Records of a kind with a word that has the prefix; by the primary key of search_words. */
export function recordsWithWord(db: Db, account_id: number, entity_type: string, prefix: string) {
  return db
    .selectFrom('search_words')
    .select('search_words.entity_id')
    .where('search_words.account_id', '=', account_id)
    .where('search_words.entity_type', '=', entity_type)
    .where('search_words.word', '>=', prefix)
    .where('search_words.word', '<', `${prefix}\u{10ffff}`)
}
