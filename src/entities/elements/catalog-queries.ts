import type { Db, Tx } from '../../db/database.ts'
import { forKeyShare, forUpdate, isOneOf } from '../../db/dialect.ts'
import { referenceData } from '../../db/prepared.ts'
import { deleteRows, insertRows, replaceRows } from '../../db/row-sets.ts'
import type { CatalogRow, EntityRow } from '../../db/tables.ts'
import { deleteLinks } from '../records/link-queries.ts'

/**
 * Lists of the account: at most ten, in display order. They are here and not in the slice that manages them,
 * because elements and links depend on them.
 */
export const findCatalogs: (db: Db, at: { account_id: number }) => Promise<CatalogRow[]> = referenceData(
  (db, at) =>
    db
      .selectFrom('catalogs')
      .selectAll()
      .where('account_id', '=', at.account_id)
      .orderBy('sort')
      .orderBy('id'),
)

export const insertCatalogs = (tx: Tx, rows: CatalogRow[]): Promise<void> => insertRows(tx, 'catalogs', rows)

export const replaceCatalogs = (tx: Tx, rows: CatalogRow[]): Promise<void> =>
  replaceRows(tx, 'catalogs', ['account_id', 'id'], rows)

const catalogOf = (tx: Tx, account_id: number, id: number) =>
  tx.selectFrom('catalogs').selectAll().where('account_id', '=', account_id).where('id', '=', id)

/** The list, locked against deletion until the transaction ends. */
export const lockCatalogShared = (tx: Tx, account_id: number, id: number): Promise<CatalogRow | undefined> =>
  catalogOf(tx, account_id, id).modifyEnd(forKeyShare(tx)).executeTakeFirst()

/** The list, locked exclusively: waits for transactions that add elements, and then sees them. */
export const lockCatalog = (tx: Tx, account_id: number, id: number): Promise<CatalogRow | undefined> =>
  catalogOf(tx, account_id, id).modifyEnd(forUpdate(tx)).executeTakeFirst()

export const deleteCatalog = (tx: Tx, { account_id, id }: CatalogRow): Promise<void> =>
  deleteRows(tx, 'catalogs', [{ account_id, id }])

/** Locks the elements of a list, including those in the trash, in the order of all writers; by entities_by_catalog. */
export async function lockElementsOf(tx: Tx, account_id: number, catalog_id: number): Promise<number[]> {
  const rows = await tx
    .selectFrom('entities')
    .select('id')
    .where('account_id', '=', account_id)
    .where('catalog_id', '=', catalog_id)
    .orderBy('id')
    .modifyEnd(forUpdate(tx))
    .execute()
  return rows.map(({ id }) => id)
}

/** Keeps the rows, so that the log can name them; deletes everything that depends on them. */
export async function discardElements(
  tx: Tx,
  account_id: number,
  ids: readonly number[],
  by: Pick<EntityRow, 'updated_by' | 'updated_by_integration' | 'updated_at'>,
): Promise<void> {
  await tx
    .updateTable('entities')
    .set({ is_deleted: 1, ...by })
    .where('account_id', '=', account_id)
    .where('entity_type', '=', 'catalog_elements')
    .where((eb) => isOneOf(tx, eb.ref('id'), ids))
    .where('is_deleted', '=', 0)
    .execute()
  await tx
    .deleteFrom('search_words')
    .where('account_id', '=', account_id)
    .where('entity_type', '=', 'catalog_elements')
    .where((eb) => isOneOf(tx, eb.ref('entity_id'), ids))
    .execute()
  const links = await tx
    .selectFrom('links')
    .select(['entity_id', 'to_entity_id'])
    .where('account_id', '=', account_id)
    .where((eb) => isOneOf(tx, eb.ref('entity_id'), ids))
    .execute()
  await deleteLinks(
    tx,
    links.flatMap(({ entity_id, to_entity_id }) => [
      { account_id, entity_id, to_entity_id },
      { account_id, entity_id: to_entity_id, to_entity_id: entity_id },
    ]),
  )
}

/** The elements with more than one linked lead or customer outside the trash. */
export async function findSharedElements(
  db: Db,
  account_id: number,
  ids: readonly number[],
): Promise<number[]> {
  const rows = await db
    .selectFrom('links')
    .innerJoin('entities as holder', (join) =>
      join
        .on('holder.account_id', '=', account_id)
        .onRef('holder.entity_type', '=', 'links.to_entity_type')
        .onRef('holder.id', '=', 'links.to_entity_id'),
    )
    .select('links.entity_id')
    .where('links.account_id', '=', account_id)
    .where((eb) => isOneOf(db, eb.ref('links.entity_id'), ids))
    .where('links.to_entity_type', 'in', ['leads', 'customers'])
    .where('holder.is_deleted', '=', 0)
    .groupBy('links.entity_id')
    .having((eb) => eb.fn.countAll(), '>', 1)
    .orderBy('links.entity_id')
    .execute()
  return rows.map(({ entity_id }) => entity_id)
}
