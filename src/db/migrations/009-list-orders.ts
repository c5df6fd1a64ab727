import { sql } from 'kysely'
import type { Tx } from '../database.ts'
import { updateRows } from '../row-sets.ts'
import type { Migration } from './migration.ts'

/**
 * Sort keys of lists, and an index for their totals. Orders of one kind are indexed for that kind only. The index
 * for totals contains all columns that they need.
 */
export const listOrders: Migration = {
  name: '009-list-orders',
  counted: [],
  statements: [
    `alter table entities add column name_key text collate "C" not null default ''`,
    `create index entities_by_name on entities (account_id, entity_type, name_key, id)`,
    `create index entities_totals on entities
      (account_id, entity_type, is_deleted, pipeline_id, status_id, responsible_user_id, price, next_price)`,
    `create index leads_by_price on entities (account_id, price, id) where entity_type = 'leads'`,
    `create index leads_by_closing on entities (account_id, closed_at, id) where entity_type = 'leads'`,
    `create index customers_by_next_price on entities (account_id, next_price, id)
      where entity_type = 'customers'`,
    `create index customers_by_next_date on entities (account_id, next_date, id) where entity_type = 'customers'`,
    `create index elements_by_name on entities (account_id, catalog_id, name_key, id)
      where catalog_id is not null`,
    `create index elements_by_creation on entities (account_id, catalog_id, created_at, id)
      where catalog_id is not null`,
    `create index elements_by_update on entities (account_id, catalog_id, updated_at, id)
      where catalog_id is not null`,
  ],
  fill,
}

const PAGE = 1_000

/** Fills the sort keys of existing records, in the form of the time of this migration. */
async function fill(tx: Tx): Promise<void> {
  for (let after = { account_id: 0, entity_type: '', id: 0 }; ; ) {
    const rows = await tx
      .selectFrom('entities')
      .select(['account_id', 'entity_type', 'id', 'name'])
      .where(
        sql<boolean>`(account_id, entity_type, id) > (${after.account_id}, ${after.entity_type}, ${after.id})`,
      )
      .orderBy('account_id')
      .orderBy('entity_type')
      .orderBy('id')
      .limit(PAGE)
      .execute()
    await updateRows(
      tx,
      'entities',
      ['account_id', 'entity_type', 'id'],
      rows.map(({ name, ...row }) => ({ ...row, name_key: keyOf(name) })),
    )
    const last = rows.at(-1)
    if (!last) return
    after = last
  }
}

const keyOf = (name: string): string =>
  name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().trimStart().slice(0, 64).toWellFormed()
