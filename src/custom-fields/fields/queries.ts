import { LRUCache } from 'lru-cache'
import type { Db, Tx } from '../../db/database.ts'
import { isOneOf } from '../../db/dialect.ts'
import { referenceData } from '../../db/prepared.ts'
import { deleteRows, insertRows, replaceRows, updateRows } from '../../db/row-sets.ts'
import type { CustomFieldGroupRow, CustomFieldRow } from '../../db/tables.ts'
import { type FieldOwner, type FieldSet, fieldOf, fieldSetOf } from './fields.ts'

const fieldsOfOwner = (db: Db, at: { account_id: number; owner: string }) =>
  db
    .selectFrom('custom_fields')
    .selectAll()
    .where('account_id', '=', at.account_id)
    .where('entity_type', '=', at.owner)

const fieldsOfRecords = referenceData((db, at: { account_id: number; owner: string }) =>
  fieldsOfOwner(db, at).where('catalog_id', 'is', null),
)

const fieldsOfCatalog = referenceData((db, at: { account_id: number; owner: string; catalog_id: number }) =>
  fieldsOfOwner(db, at).where('catalog_id', '=', at.catalog_id),
)

/** The fields of one owner, or of the list `catalog_id`. One prepared query; the same set while the fields are equal. */
export async function findFields(
  db: Db,
  account_id: number,
  owner: FieldOwner,
  catalog_id: number | null = null,
): Promise<FieldSet> {
  const rows =
    catalog_id === null
      ? await fieldsOfRecords(db, { account_id, owner })
      : await fieldsOfCatalog(db, { account_id, owner, catalog_id })
  const key = `${account_id} ${owner} ${catalog_id}`
  const known = sets.get(key)
  if (known?.rows === rows) return known.set
  if (known && isSame(known.rows, rows)) {
    // The next request most often gets these rows, from the cache of queries.
    known.rows = rows
    return known.set
  }
  const set = fieldSetOf(rows.map(fieldOf))
  sets.set(key, { rows, set })
  return set
}

/** The latest sets, with the rows that they come from. */
const sets = new LRUCache<string, { rows: CustomFieldRow[]; set: FieldSet }>({ max: 200 })

const isSame = (before: CustomFieldRow[], rows: CustomFieldRow[]): boolean =>
  before.length === rows.length && before.every((row, i) => isSameRow(row, rows[i] as CustomFieldRow))

function isSameRow(before: CustomFieldRow, row: CustomFieldRow): boolean {
  for (const column in before)
    if (before[column as keyof CustomFieldRow] !== row[column as keyof CustomFieldRow]) return false
  return true
}

/** Names of all fields of the account, including those of lists, in the order of ids. */
export function findFieldNames(db: Db, account_id: number): Promise<Pick<CustomFieldRow, 'id' | 'name'>[]> {
  return db
    .selectFrom('custom_fields')
    .select(['id', 'name'])
    .where('account_id', '=', account_id)
    .orderBy('id')
    .execute()
}

/** Fields of type file, of every owner. */
export function findFileFields(
  db: Db,
  account_id: number,
): Promise<Pick<CustomFieldRow, 'id' | 'entity_type' | 'catalog_id'>[]> {
  return db
    .selectFrom('custom_fields')
    .select(['id', 'entity_type', 'catalog_id'])
    .where('account_id', '=', account_id)
    .where('type', '=', 'file')
    .execute()
}

/** Fields of the account by id, of any owner. */
export function fieldRowsById(db: Db, account_id: number, ids: number[]): Promise<CustomFieldRow[]> {
  return db
    .selectFrom('custom_fields')
    .selectAll()
    .where('account_id', '=', account_id)
    .where((eb) => isOneOf(db, eb.ref('id'), ids))
    .execute()
}

export const insertFields = (tx: Tx, rows: CustomFieldRow[]): Promise<void> =>
  insertRows(tx, 'custom_fields', rows)

export const replaceFields = (tx: Tx, rows: CustomFieldRow[]): Promise<void> =>
  replaceRows(tx, 'custom_fields', ['account_id', 'id'], rows)

export const deleteFields = (tx: Tx, account_id: number, ids: number[]): Promise<void> =>
  deleteRows(
    tx,
    'custom_fields',
    ids.map((id) => ({ account_id, id })),
  )

/** The kind of records as the groups store it. Each list has groups of its own, so its id is a part of the name. */
export const groupOwnerOf = (owner: FieldOwner, catalog_id: number | null): string =>
  catalog_id === null ? owner : `${owner}/${catalog_id}`

/** The stored groups of one owner, or of the list `catalog_id`. */
export function groupsOf(
  db: Db,
  account_id: number,
  owner: FieldOwner,
  catalog_id: number | null,
): Promise<CustomFieldGroupRow[]> {
  return db
    .selectFrom('custom_field_groups')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('entity_type', '=', groupOwnerOf(owner, catalog_id))
    .orderBy('sort')
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

export const insertGroups = (tx: Tx, rows: CustomFieldGroupRow[]): Promise<void> =>
  insertRows(tx, 'custom_field_groups', rows)

export const replaceGroup = (tx: Tx, row: CustomFieldGroupRow): Promise<void> =>
  replaceRows(tx, 'custom_field_groups', ['account_id', 'entity_type', 'id'], [row])

export const deleteGroup = (tx: Tx, { account_id, entity_type, id }: CustomFieldGroupRow): Promise<void> =>
  deleteRows(tx, 'custom_field_groups', [{ account_id, entity_type, id }])

/** Deletes the groups of a list. */
export const deleteGroupsOfCatalog = (tx: Tx, account_id: number, catalog_id: number): Promise<void> =>
  deleteRows(tx, 'custom_field_groups', [{ account_id, entity_type: groupOwnerOf('catalogs', catalog_id) }])

/** The fields of the account that have settings, of every owner. */
export function fieldsWithSettings(
  db: Db,
  account_id: number,
): Promise<Pick<CustomFieldRow, 'id' | 'settings'>[]> {
  return db
    .selectFrom('custom_fields')
    .select(['id', 'settings'])
    .where('account_id', '=', account_id)
    .where('settings', '!=', '{}')
    .execute()
}

export const setSettings = (
  tx: Tx,
  changes: Pick<CustomFieldRow, 'account_id' | 'id' | 'settings'>[],
): Promise<void> => updateRows(tx, 'custom_fields', ['account_id', 'id'], changes)

/** Moves fields into groups. */
export const setGroups = (
  tx: Tx,
  moves: Pick<CustomFieldRow, 'account_id' | 'id' | 'group_id'>[],
): Promise<void> => updateRows(tx, 'custom_fields', ['account_id', 'id'], moves)
