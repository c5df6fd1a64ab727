import { deleteValuesOf, findFields, saveValues, storedValuesOf } from '../../custom-fields/custom-fields.ts'
import type { Db, Tx } from '../../db/database.ts'
import { noteDeletedIds } from '../../db/dialect.ts'
import { type OldPage, type OldRows, type OldWindow, oldPage } from '../../db/old-rows.ts'
import type { EntityRow } from '../../db/tables.ts'
import { removeNotesOf } from '../../notes/notes.ts'
import { type EntityType, entityTypes } from '../records/entity-types.ts'
import { deleteWords } from '../records/queries.ts'
import { wordsOf } from '../records/search.ts'
import {
  deleteEntityRows,
  deleteLinksOf,
  deletePurchasesOf,
  deleteTagsOf,
  lockTrashed,
  mergedInto,
  oldTrashed,
  type TrashedRecord,
} from './old-record-queries.ts'

/** A record that has been in the trash for long. */
export interface OldRecord {
  type: EntityType
  id: number
}

/** The uses of records in slices above this one. */
export interface RecordUses {
  /** The records among these that something still needs, such as a conversation. They stay. */
  used(db: Db, account_id: number, ids: readonly number[]): Promise<Set<number>>
  /** Deletes what belongs to records that are being deleted. */
  remove(tx: Tx, account_id: number, type: EntityType, ids: readonly number[]): Promise<void>
}

const kinds = Object.keys(entityTypes) as EntityType[]

/**
 * Records that were moved to the trash long ago, with their values, tags, links, notes, tasks and purchases, and with the
 * records that were merged into them. Events about them stay.
 */
export const oldTrash = (uses: RecordUses): OldRows<OldRecord> => ({
  find: (db, window) =>
    findKinds(db, window, async (rows) => {
      const own = rows.filter(({ merged_into }) => merged_into === null)
      const used = await usedWithMerged(db, window.account_id, ids(own), uses)
      return new Map(own.map(({ id }) => [id, used.has(id)]))
    }),
  remove: async (tx, { account_id, before }, records) => {
    let count = 0
    for (const [type, named] of byKind(records)) {
      const rows = await lockTrashed(tx, { account_id, before }, type, named)
      const used = await usedWithMerged(tx, account_id, ids(rows), uses)
      const gone = rows.filter(({ id, merged_into }) => merged_into === null && !used.has(id))
      count += gone.length
      await removeRecords(tx, account_id, type, gone, uses)
    }
    return count
  },
})

/**
 * The values and tags of records that were merged into others long ago. The rows themselves stay, because they lead to the
 * remaining record.
 */
export const oldMerged: OldRows<OldRecord> = {
  find: (db, window) =>
    findKinds(db, window, async (rows) => {
      const full = rows.filter(({ merged_into, has_values }) => merged_into !== null && has_values === 1)
      return new Map(full.map(({ id }) => [id, false]))
    }),
  remove: async (tx, { account_id, before }, records) => {
    let count = 0
    for (const [type, named] of byKind(records)) {
      const rows = await lockTrashed(tx, { account_id, before }, type, named)
      const merged = rows.filter(({ merged_into }) => merged_into !== null)
      count += merged.length
      await removeContents(tx, account_id, type, merged)
    }
    return count
  },
}

/** Rows that are not in the map are of another kind of old rows. */
type Judged = Map<number, boolean>

/** Reads a window of the trash, one kind of records after the other. */
async function findKinds(
  db: Db,
  window: OldWindow,
  judge: (rows: TrashedRecord[]) => Promise<Judged>,
): Promise<OldPage<OldRecord>> {
  const [kind = 0, at = -1, id = 0] = (window.after ?? []) as number[]
  const type = kinds[kind] as EntityType
  const rows = await oldTrashed(db, window, type, [at, id])
  const judged = await judge(rows)
  const found = rows.map((row) => ({
    key: { type, id: row.id },
    at: row.updated_at,
    stays: judged.get(row.id) ?? true,
    position: [kind, row.updated_at, row.id],
  }))
  const page = oldPage(found, window.limit)
  const kept = [...judged.values()].filter(Boolean).length
  const next = page.next ?? (kind + 1 < kinds.length ? [kind + 1] : null)
  return { ...page, kept, next }
}

/** Records are used if one that was merged into them is. */
async function usedWithMerged(
  db: Db,
  account_id: number,
  named: readonly number[],
  uses: RecordUses,
): Promise<Set<number>> {
  if (named.length === 0) return new Set()
  const merged = await allMergedInto(db, account_id, named)
  const used = await uses.used(db, account_id, [...named, ...merged.keys()])
  for (const [id, into] of merged) if (used.has(id)) used.add(into)
  return used
}

/** The records that were merged into these, directly or not: by id, the one of these. */
async function allMergedInto(
  db: Db,
  account_id: number,
  named: readonly number[],
): Promise<Map<number, number>> {
  const found = new Map<number, number>()
  for (let into: readonly number[] = named; into.length > 0; ) {
    const rows = (await mergedInto(db, account_id, into)).filter(({ id }) => !found.has(id))
    for (const { id, merged_into } of rows)
      found.set(id, found.get(merged_into as number) ?? (merged_into as number))
    into = ids(rows)
  }
  return found
}

async function removeRecords(
  tx: Tx,
  account_id: number,
  type: EntityType,
  rows: readonly EntityRow[],
  uses: RecordUses,
): Promise<void> {
  if (rows.length === 0) return
  const merged = await allMergedInto(tx, account_id, ids(rows))
  const all = [
    ...rows,
    ...(await lockTrashed(tx, { account_id, before: Number.MAX_SAFE_INTEGER }, type, [...merged.keys()])),
  ]
  await removeContents(tx, account_id, type, all)
  await deleteLinksOf(tx, account_id, ids(all))
  if (type === 'customers')
    await noteDeletedIds(tx, 'transactions', await deletePurchasesOf(tx, account_id, ids(all)))
  await removeNotesOf(tx, account_id, type, ids(all))
  await uses.remove(tx, account_id, type, ids(all))
  await deleteEntityRows(tx, all)
  await noteDeletedIds(tx, 'entities', ids(all))
}

/** Deletes the values of records with their search keys, their words and their tags. */
async function removeContents(
  tx: Tx,
  account_id: number,
  type: EntityType,
  rows: readonly EntityRow[],
): Promise<void> {
  const stored = await storedValuesOf(tx, account_id, ids(rows))
  for (const [catalog_id, own] of Map.groupBy(rows, (row) => row.catalog_id)) {
    const fields = await findFields(tx, account_id, entityTypes[type].fields, catalog_id)
    const values = own.map(({ id }) => ({ entity_id: id, before: stored.get(id) ?? {}, after: {} }))
    await saveValues(tx, account_id, fields, values)
    const words = own.flatMap(({ id, name }) =>
      [...wordsOf(name, fields, stored.get(id) ?? {})].map((word) => ({
        account_id,
        entity_type: type,
        word,
        entity_id: id,
      })),
    )
    await deleteWords(tx, words)
  }
  await deleteValuesOf(tx, account_id, ids(rows))
  await deleteTagsOf(tx, account_id, ids(rows))
}

const ids = (rows: readonly { id: number }[]): number[] => rows.map(({ id }) => id)

function byKind(records: readonly OldRecord[]): Map<EntityType, number[]> {
  const groups = Map.groupBy(records, ({ type }) => type)
  return new Map([...groups].map(([type, ofType]) => [type, ids(ofType)]))
}
