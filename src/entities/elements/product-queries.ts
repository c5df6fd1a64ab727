import type { Db } from '../../db/database.ts'
import { isOneOf } from '../../db/dialect.ts'
import { LOST, WON } from '../../pipelines/pipelines.ts'

/** An element of the list of products that is linked to a lead. */
export interface LinkedProduct {
  lead_id: number
  element_id: number
  quantity: number
  price_id: number | null
}

/** The products of leads outside the trash. By the primary keys of links and of entities. */
export async function linkedProducts(
  db: Db,
  account_id: number,
  lead_ids: readonly number[],
  catalog_id: number,
): Promise<LinkedProduct[]> {
  const rows = await db
    .selectFrom('links')
    .innerJoin('entities as element', (join) =>
      join
        .on('element.account_id', '=', account_id)
        .onRef('element.entity_type', '=', 'links.to_entity_type')
        .onRef('element.id', '=', 'links.to_entity_id'),
    )
    .select(['links.entity_id', 'links.to_entity_id', 'links.quantity', 'links.price_id'])
    .where('links.account_id', '=', account_id)
    .where((eb) => isOneOf(db, eb.ref('links.entity_id'), lead_ids))
    .where('links.to_entity_type', '=', 'catalog_elements')
    .where('links.catalog_id', '=', catalog_id)
    .where('element.is_deleted', '=', 0)
    .execute()
  return rows.map(({ entity_id, to_entity_id, quantity, price_id }) => ({
    lead_id: entity_id,
    element_id: to_entity_id,
    quantity: quantity ?? 1,
    price_id,
  }))
}

/** The open leads outside the trash with any of these elements, at most `most`. By the primary keys. */
export async function openLeadsWith(
  db: Db,
  account_id: number,
  element_ids: readonly number[],
  most: number,
): Promise<number[]> {
  const rows = await db
    .selectFrom('links')
    .innerJoin('entities as lead', (join) =>
      join
        .on('lead.account_id', '=', account_id)
        .onRef('lead.entity_type', '=', 'links.to_entity_type')
        .onRef('lead.id', '=', 'links.to_entity_id'),
    )
    .select('lead.id')
    .distinct()
    .where('links.account_id', '=', account_id)
    .where((eb) => isOneOf(db, eb.ref('links.entity_id'), element_ids))
    .where('links.to_entity_type', '=', 'leads')
    .where('lead.is_deleted', '=', 0)
    .where('lead.status_id', 'not in', [WON, LOST])
    .orderBy('lead.id')
    .limit(most)
    .execute()
  return rows.map(({ id }) => id)
}
