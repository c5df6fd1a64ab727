import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { isOneOf } from '../../db/dialect.ts'

/** Contacts and companies of these leads that no list shows. By the primary keys of links and of entities. */
export function selectHiddenBeside(db: Db, account_id: number, lead_ids: readonly number[]) {
  return db
    .selectFrom('links')
    .innerJoin('entities as hidden', (join) =>
      join
        .on('hidden.account_id', '=', account_id)
        .onRef('hidden.entity_type', '=', 'links.to_entity_type')
        .onRef('hidden.id', '=', 'links.to_entity_id'),
    )
    .select(['hidden.entity_type', 'hidden.id'])
    .distinct()
    .where('links.account_id', '=', account_id)
    .where((eb) => isOneOf(db, eb.ref('links.entity_id'), lead_ids))
    .where('links.to_entity_type', 'in', ['companies', 'contacts'])
    .where('hidden.is_unsorted', '=', sql.lit(1))
}

/** Those of these records that are linked to a lead outside the trash, or to an incoming one. By the primary keys of links and of entities. */
export async function linkedToLeads(
  db: Db,
  account_id: number,
  ids: readonly number[],
  { isIncoming = false }: { isIncoming?: boolean } = {},
): Promise<Set<number>> {
  const rows = await db
    .selectFrom('links')
    .innerJoin('entities as lead', (join) =>
      join
        .on('lead.account_id', '=', account_id)
        .onRef('lead.entity_type', '=', 'links.to_entity_type')
        .onRef('lead.id', '=', 'links.to_entity_id'),
    )
    .select('links.entity_id')
    .distinct()
    .where('links.account_id', '=', account_id)
    .where((eb) => isOneOf(db, eb.ref('links.entity_id'), ids))
    .where('links.to_entity_type', '=', 'leads')
    .where('lead.is_deleted', '=', 0)
    .$if(isIncoming, (query) => query.where('lead.is_unsorted', '=', sql.lit(1)))
    .execute()
  return new Set(rows.map(({ entity_id }) => entity_id))
}

/** The contacts of these leads, in the trash or not. By the primary key of links. */
export async function contactsOfLeads(
  db: Db,
  account_id: number,
  lead_ids: readonly number[],
): Promise<Map<number, number[]>> {
  const rows = await db
    .selectFrom('links')
    .select(['entity_id', 'to_entity_id'])
    .where('account_id', '=', account_id)
    .where((eb) => isOneOf(db, eb.ref('entity_id'), lead_ids))
    .where('to_entity_type', '=', 'contacts')
    .orderBy('entity_id')
    .orderBy('to_entity_id')
    .execute()
  const byLead = Map.groupBy(rows, ({ entity_id }) => entity_id)
  return new Map([...byLead].map(([id, links]) => [id, links.map(({ to_entity_id }) => to_entity_id)]))
}
