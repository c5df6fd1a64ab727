import { sql } from 'kysely'
import { keyHolders } from '../../custom-fields/custom-fields.ts'
import type { Db } from '../../db/database.ts'
import { tableOf } from '../../db/dialect.ts'
import { LOST, WON } from '../../pipelines/pipelines.ts'
import { type Access, accessCondition, type RecordRight } from '../records/access.ts'

/** Kinds with telephone numbers and e-mail addresses. */
export type HolderType = 'contacts' | 'companies'

/** The field of each kind that is searched for a key; undefined means none. */
export type HolderFields = Readonly<Record<HolderType, number | undefined>>

/**
 * For each key, the newest contact and the newest company with it, among those for which the actor has the right,
 * outside the trash. One query by the primary keys of field_keys and of entities. It starts with the newest, so a
 * number in thousands of records costs no more than another.
 */
export function newestHolders(
  db: Db,
  access: Access,
  right: RecordRight,
  fields: HolderFields,
  keys: readonly string[],
) {
  const newest = (type: HolderType) => {
    const condition = accessCondition(access, right, type, 'holder')
    return keyHolders(db, access.actor.account_id, fields[type] ?? 0, 'given.value')
      .innerJoin('entities as holder', (join) =>
        join
          .on('holder.account_id', '=', access.actor.account_id)
          .on('holder.entity_type', '=', type)
          .onRef('holder.id', '=', 'field_keys.entity_id'),
      )
      .select('holder.id')
      .where('holder.is_deleted', '=', 0)
      .$if(condition !== null, (query) => query.where(condition as NonNullable<typeof condition>))
      .orderBy('field_keys.entity_id', 'desc')
      .limit(1)
  }
  return db
    .selectFrom(tableOf(db, keys, 'text').as('given'))
    .select('given.value as key')
    .select([newest('contacts').as('contact_id'), newest('companies').as('company_id')])
}

/**
 * For each record, the two newest linked open leads and the two newest linked customers, among those for which the
 * actor has the right, outside the trash. One query, by the primary keys of links and of entities.
 */
export function newestOpenRecords(db: Db, access: Access, right: RecordRight, ids: readonly number[]) {
  const newest = (type: 'leads' | 'customers', offset: 0 | 1) => {
    const condition = accessCondition(access, right, type, 'linked')
    return db
      .selectFrom('links')
      .innerJoin('entities as linked', (join) =>
        join
          .on('linked.account_id', '=', access.actor.account_id)
          .on('linked.entity_type', '=', type)
          .onRef('linked.id', '=', 'links.to_entity_id'),
      )
      .select('linked.id')
      .where('links.account_id', '=', access.actor.account_id)
      .where('links.entity_id', '=', sql.ref<number>('given.value'))
      .where('links.to_entity_type', '=', type)
      .where('linked.is_deleted', '=', 0)
      .$if(type === 'leads', (query) => query.where('linked.status_id', 'not in', [WON, LOST]))
      .$if(condition !== null, (query) => query.where(condition as NonNullable<typeof condition>))
      .orderBy('links.to_entity_id', 'desc')
      .limit(1)
      .offset(offset)
  }
  return db
    .selectFrom(tableOf(db, ids, 'bigint').as('given'))
    .select('given.value as id')
    .select([
      newest('leads', 0).as('lead_id'),
      newest('leads', 1).as('other_lead_id'),
      newest('customers', 0).as('customer_id'),
      newest('customers', 1).as('other_customer_id'),
    ])
}
