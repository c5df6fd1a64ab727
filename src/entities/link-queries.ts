import { sql } from 'kysely'
import type { Db, Tx } from '../db/database.ts'
import { holds, isOneOf } from '../db/dialect.ts'
import { batched } from '../db/prepared.ts'
import { deleteRows, replaceRows } from '../db/row-sets.ts'
import type { LinkRow } from '../db/tables.ts'
import { type Access, accessCondition, seesAll } from './access.ts'
import { type EntityType, entityTypes } from './entity-types.ts'
import { MAIN_CONTACT } from './links.ts'

/**
 * The existing links that a change can affect: links among these records, their companies, and the contacts of
 * leads and customers. Skips, for example, a company's ten thousand leads. By the primary key.
 */
export function findChangingLinks(db: Db, account_id: number, ids: readonly number[]): Promise<LinkRow[]> {
  return db
    .selectFrom('links')
    .selectAll()
    .where('account_id', '=', account_id)
    .where((eb) => isOneOf(db, eb.ref('entity_id'), ids))
    .where((eb) =>
      eb.or([
        isOneOf(db, eb.ref('to_entity_id'), ids),
        eb.and([eb('to_entity_type', '=', 'companies'), eb('entity_type', 'in', ['leads', 'contacts'])]),
        eb.and([eb('to_entity_type', '=', 'contacts'), eb('entity_type', 'in', ['leads', 'customers'])]),
      ]),
    )
    .orderBy('entity_id')
    .orderBy('to_entity_id')
    .execute()
}

/** Some of the links. */
interface LinkChoice {
  /** Only the links to these records. */
  to_ids?: readonly number[] | undefined
  /** Not more than so many. */
  most?: number | undefined
}

/** The links of records to records of one kind outside the trash. By the primary keys of links and of entities. */
const linksTo = (db: Db, at: { account_id: number; ids: readonly number[]; to_entity_type: string }) =>
  db
    .selectFrom('links')
    .innerJoin('entities as linked', (join) =>
      join
        .on('linked.account_id', '=', at.account_id)
        .onRef('linked.entity_type', '=', 'links.to_entity_type')
        .onRef('linked.id', '=', 'links.to_entity_id'),
    )
    .selectAll('links')
    .where('links.account_id', '=', at.account_id)
    .where((eb) => isOneOf(db, eb.ref('links.entity_id'), at.ids))
    .where('links.to_entity_type', '=', at.to_entity_type)
    .where('linked.is_deleted', '=', 0)
    .orderBy('links.entity_id')
    .orderBy('links.to_entity_id')

const allLinksTo = batched(linksTo)

/** The links of these records to visible records of one kind outside the trash. */
export async function visibleLinks(
  db: Db,
  access: Access,
  ids: readonly number[],
  to_entity_type: EntityType,
  { to_ids, most }: LinkChoice = {},
): Promise<LinkRow[]> {
  const at = { account_id: access.actor.account_id, ids, to_entity_type }
  const condition = accessCondition(access, 'view', to_entity_type, 'linked')
  if (condition === null && most === undefined && to_ids === undefined) {
    const all = await allLinksTo(db, at)
    return to_entity_type === 'contacts' ? withMainContacts(all, all) : all
  }
  const rows = await linksTo(db, at)
    .$if(condition !== null, (query) => query.where(condition as NonNullable<typeof condition>))
    .$if(to_ids !== undefined, (query) =>
      query.where((eb) => isOneOf(db, eb.ref('links.to_entity_id'), to_ids as number[])),
    )
    .$if(most !== undefined, (query) => query.limit(most as number))
    .execute()
  const orphans = to_entity_type === 'contacts' ? withoutMain(rows) : []
  return orphans.length > 0 ? withMainContacts(rows, await allLinksTo(db, { ...at, ids: orphans })) : rows
}

/** The records of these links that have a main contact by their kind, but not among them. */
function withoutMain(rows: readonly LinkRow[]): number[] {
  const ids = new Set<number>()
  for (const { entity_id, entity_type } of rows) if (MAIN_CONTACT.includes(entity_type)) ids.add(entity_id)
  for (const { entity_id, is_main } of rows) if (is_main === 1) ids.delete(entity_id)
  return [...ids]
}

/** While the main contact of a record is in the trash, the first one outside it is main. `all` has all of those. */
function withMainContacts(rows: LinkRow[], all: readonly LinkRow[]): LinkRow[] {
  const orphans = new Set(withoutMain(all))
  if (orphans.size === 0) return rows
  const main = new Set<string>()
  for (const { entity_id, to_entity_id } of all)
    if (orphans.delete(entity_id)) main.add(`${entity_id} ${to_entity_id}`)
  return rows.map((row) => (main.has(`${row.entity_id} ${row.to_entity_id}`) ? { ...row, is_main: 1 } : row))
}

export const writeLinks = (tx: Tx, rows: LinkRow[]): Promise<void> =>
  replaceRows(tx, 'links', ['account_id', 'entity_id', 'to_entity_id'], rows)

export const deleteLinks = (
  tx: Tx,
  keys: Pick<LinkRow, 'account_id' | 'entity_id' | 'to_entity_id'>[],
): Promise<void> => deleteRows(tx, 'links', keys)

/** The condition that the record with kind and id in two columns is visible; constant if nothing is hidden. */
export function visibleRecord(db: Db, access: Access, type_column: string, id_column: string) {
  const kinds = (Object.keys(entityTypes) as EntityType[]).map((type) => {
    const isOfKind = sql<boolean>`${sql.ref(type_column)} = ${sql.lit(type)}`
    if (seesAll(access, type)) return isOfKind
    const condition = accessCondition(access, 'view', type, 'seen')
    const record = db
      .selectFrom('entities as seen')
      .select(sql.lit(1).as('one'))
      .where('seen.account_id', '=', access.actor.account_id)
      .where('seen.entity_type', '=', type)
      .where('seen.id', '=', sql.ref<number>(id_column))
      .$if(condition !== null, (query) => query.where(condition as NonNullable<typeof condition>))
    return sql<boolean>`(${isOfKind} and ${holds(record)})`
  })
  return sql<boolean>`(${sql.join(kinds, sql` or `)})`
}

/** The companies of contacts outside the trash, with their names. By the primary keys of links and of entities. */
export function linkedCompanies(db: Db, account_id: number, ids: readonly number[]) {
  return db
    .selectFrom('links')
    .innerJoin('entities as company', (join) =>
      join
        .on('company.account_id', '=', account_id)
        .onRef('company.entity_type', '=', 'links.to_entity_type')
        .onRef('company.id', '=', 'links.to_entity_id'),
    )
    .select(['links.entity_id', 'company.id', 'company.name'])
    .where('links.account_id', '=', account_id)
    .where((eb) => isOneOf(db, eb.ref('links.entity_id'), ids))
    .where('links.entity_type', '=', 'contacts')
    .where('links.to_entity_type', '=', 'companies')
    .where('company.is_deleted', '=', 0)
    .orderBy('links.entity_id')
    .orderBy('company.id')
    .execute()
}

/** Leads of one record that a webhook names. */
const LINKED_LEADS = 100

/** The latest linked leads of each record. By the primary key. */
export function linkedLeads(db: Db, account_id: number, ids: readonly number[]) {
  return db
    .selectFrom((eb) =>
      eb
        .selectFrom('links')
        .select(['entity_id', 'to_entity_id'])
        .select((inner) =>
          inner.fn
            .agg<number>('row_number')
            .over((over) => over.partitionBy('entity_id').orderBy('to_entity_id', 'desc'))
            .as('place'),
        )
        .where('account_id', '=', account_id)
        .where((inner) => isOneOf(db, inner.ref('entity_id'), ids))
        .where('to_entity_type', '=', 'leads')
        .as('ranked'),
    )
    .select(['entity_id', 'to_entity_id'])
    .where('place', '<=', LINKED_LEADS)
    .orderBy('entity_id')
    .orderBy('to_entity_id')
    .execute()
}
