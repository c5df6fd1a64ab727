import { type Expression, type SqlBool, sql } from 'kysely'
import { readInBackground } from '../../db/background-reads.ts'
import type { Db, Tx } from '../../db/database.ts'
import { holds, isOneOf } from '../../db/dialect.ts'
import { batched, prepared } from '../../db/prepared.ts'
import { deleteRows, replaceRows } from '../../db/row-sets.ts'
import type { LinkRow } from '../../db/tables.ts'
import type { Position } from '../../http/queries/paging.ts'
import {
  type Access,
  type AccessColumns,
  accessCondition,
  can,
  loadLinkedElements,
  seesAll,
} from './access.ts'
import { type EntityType, entityTypes } from './entity-types.ts'
import { MAIN_CONTACT, MOST_EMBEDDED } from './link-types.ts'

const changingLinks = batched((db, { account_id, ids }: Omit<LinksAt, 'to_entity_type'>) =>
  db
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
    .orderBy('to_entity_id'),
)

/**
 * The existing links that a change can affect: links among these records, their companies, and the contacts of
 * leads and customers. Skips, for example, a company's ten thousand leads. By the primary key.
 */
export const findChangingLinks = (db: Db, account_id: number, ids: readonly number[]): Promise<LinkRow[]> =>
  changingLinks(db, { account_id, ids })

interface LinksAt {
  account_id: number
  ids: readonly number[]
  to_entity_type: string
}

/** The links of records to records outside the trash. By the primary keys of links and of entities. */
const liveLinks = (db: Db, { account_id, ids }: Pick<LinksAt, 'account_id' | 'ids'>) =>
  db
    .selectFrom('links')
    .innerJoin('entities as linked', (join) =>
      join
        .on('linked.account_id', '=', account_id)
        .onRef('linked.entity_type', '=', 'links.to_entity_type')
        .onRef('linked.id', '=', 'links.to_entity_id'),
    )
    .where('links.account_id', '=', account_id)
    .where((eb) => isOneOf(db, eb.ref('links.entity_id'), ids))
    .where('linked.is_deleted', '=', 0)

/** Those to records of one kind. */
const linksTo = (db: Db, at: LinksAt) =>
  liveLinks(db, at)
    .selectAll('links')
    .where('links.to_entity_type', '=', at.to_entity_type)
    .orderBy('links.entity_id')
    .orderBy('links.to_entity_id')

/** Those to visible records. */
const seenLinks = (db: Db, at: LinksAt, isSeen: Expression<SqlBool> | null) =>
  linksTo(db, at).$if(isSeen !== null, (query) => query.where(isSeen as Expression<SqlBool>))

/** Some links of these records to visible records of one kind outside the trash. */
export async function visibleLinks(
  db: Db,
  access: Access,
  ids: readonly number[],
  to_entity_type: EntityType,
  most: number,
): Promise<LinkRow[]> {
  const { account_id } = access.actor
  const isSeen = accessCondition(access, 'view', to_entity_type, 'linked')
  const rows = await seenLinks(db, { account_id, ids, to_entity_type }, isSeen).limit(most).execute()
  return withMainContacts(db, account_id, rows)
}

const between = (db: Db, at: LinksAt & { to_ids: readonly number[] }) =>
  linksTo(db, at).where((eb) => isOneOf(db, eb.ref('links.to_entity_id'), at.to_ids))

const allBetween = prepared(between)

/** The links of these records to those of one kind, if these are visible and outside the trash. */
export async function linksBetween(
  db: Db,
  access: Access,
  ids: readonly number[],
  to_entity_type: EntityType,
  to_ids: readonly number[],
): Promise<LinkRow[]> {
  const at = { account_id: access.actor.account_id, ids, to_entity_type, to_ids }
  const isSeen = accessCondition(access, 'view', to_entity_type, 'linked')
  const rows = await (isSeen ? between(db, at).where(isSeen).execute() : allBetween(db, at))
  return withMainContacts(db, at.account_id, rows)
}

/** The most links that are read together for a page. With more, those of each record are read apart. */
const MOST_TOGETHER = 5_000

const someLinksTo = batched((db, at: LinksAt) => linksTo(db, at).limit(MOST_TOGETHER + 1))

/** The same with the columns of the linked records on which the right to see them depends. */
const someLinksWithRights = batched((db, at: LinksAt) =>
  linksTo(db, at)
    .select(['linked.responsible_user_id', 'linked.pipeline_id', 'linked.status_id'])
    .limit(MOST_TOGETHER + 1),
)

/** The latest links of each of these records to visible records of one kind outside the trash, at most 500 (R27). */
export async function embeddedLinks(
  db: Db,
  access: Access,
  ids: readonly number[],
  to_entity_type: EntityType,
): Promise<LinkRow[]> {
  const at = { account_id: access.actor.account_id, ids, to_entity_type }
  const isSeen = accessCondition(access, 'view', to_entity_type, 'linked')
  const together =
    isSeen === null ? unlessTooMany(await someLinksTo(db, at)) : await seenTogether(db, access, at)
  const rows = together ? latestOf(together) : await latestOfEach(db, at, isSeen)
  return withMainContacts(db, at.account_id, rows)
}

const unlessTooMany = <T>(rows: T[]): T[] | null => (rows.length > MOST_TOGETHER ? null : rows)

/**
 * The links of these records to visible records, null if there are too many. Rights are compared here: with their condition,
 * the statement has another text for each person, and PostgreSQL plans it at each run.
 */
async function seenTogether(db: Db, access: Access, at: LinksAt): Promise<LinkRow[] | null> {
  const links = unlessTooMany(await someLinksWithRights(db, at))
  if (!links) return null
  const linked = links.map((link) => ({ ...link, entity_type: link.to_entity_type, id: link.to_entity_id }))
  await loadLinkedElements(db, access, linked)
  return links.filter((_, i) => can(access, 'view', linked[i] as AccessColumns))
}

function latestOf(rows: LinkRow[]): LinkRow[] {
  if (rows.length <= MOST_EMBEDDED) return rows
  return [...Map.groupBy(rows, ({ entity_id }) => entity_id).values()].flatMap((own) =>
    own.slice(-MOST_EMBEDDED),
  )
}

async function latestOfEach(db: Db, at: LinksAt, isSeen: Expression<SqlBool> | null): Promise<LinkRow[]> {
  const rows: LinkRow[] = []
  for (const id of at.ids) {
    const latest = await seenLinks(db, { ...at, ids: [id] }, isSeen)
      .clearOrderBy()
      .orderBy('links.to_entity_id', 'desc')
      .limit(MOST_EMBEDDED)
      .execute()
    rows.push(...latest.reverse())
  }
  return rows
}

/** The records and the filter of a list of links. */
export interface LinkRange {
  ids: readonly number[]
  kinds: readonly EntityType[]
  to_entity_id: number | null
  to_catalog_id: number | null
}

/** Links of records to visible records of some kinds outside the trash. */
function linksIn(db: Db, access: Access, { ids, kinds, to_entity_id, to_catalog_id }: LinkRange) {
  return liveLinks(db, { account_id: access.actor.account_id, ids })
    .where((eb) =>
      eb.or(
        kinds.map((kind) => {
          const isOfKind = eb('links.to_entity_type', '=', kind)
          const isSeen = accessCondition(access, 'view', kind, 'linked')
          return isSeen === null ? isOfKind : eb.and([isOfKind, isSeen])
        }),
      ),
    )
    .$if(to_entity_id !== null, (query) => query.where('links.to_entity_id', '=', to_entity_id))
    .$if(to_catalog_id !== null, (query) => query.where('links.catalog_id', '=', to_catalog_id))
}

/** A page of links in the order of both ids: after a link, or after `offset` links. */
export async function selectLinks(
  db: Db,
  access: Access,
  range: LinkRange,
  { limit, offset, after }: { limit: number; offset: number; after: Position | null },
): Promise<LinkRow[]> {
  const rows = await linksIn(db, access, range)
    .selectAll('links')
    .$if(after !== null, (query) =>
      query.where(sql<SqlBool>`(links.entity_id, links.to_entity_id) > (${after?.value}, ${after?.id})`),
    )
    .orderBy('links.entity_id')
    .orderBy('links.to_entity_id')
    .limit(limit)
    .$if(after === null, (query) => query.offset(offset))
    .execute()
  return withMainContacts(db, access.actor.account_id, rows)
}

/** The number of links, counted beside the event loop. */
export async function countLinks(db: Db, access: Access, range: LinkRange): Promise<number> {
  const query = linksIn(db, access, range).select((eb) => eb.fn.countAll<number>().as('count'))
  const [row] = await readInBackground(db, access.actor.account_id, query)
  return Number(row?.count ?? 0)
}

const mainContacts = prepared((db, at: Pick<LinksAt, 'account_id' | 'ids'>) =>
  liveLinks(db, at)
    .where('links.to_entity_type', '=', 'contacts')
    .select(({ fn, ref, eb }) => [
      'links.entity_id',
      fn.min('links.to_entity_id').as('first'),
      fn.max(eb.case().when('links.is_main', '=', 1).then(ref('links.to_entity_id')).end()).as('main'),
    ])
    .groupBy('links.entity_id'),
)

/**
 * While the main contact of a record is in the trash, the first one outside it is main. It need not be among these rows.
 */
async function withMainContacts(db: Db, account_id: number, rows: LinkRow[]): Promise<LinkRow[]> {
  const orphans = withoutMain(rows)
  if (orphans.length === 0) return rows
  const found = await mainContacts(db, { account_id, ids: orphans })
  const main = new Map(found.map(({ entity_id, first, main }) => [entity_id, main ?? first]))
  return rows.map((row) =>
    row.to_entity_type === 'contacts' && main.get(row.entity_id) === row.to_entity_id
      ? { ...row, is_main: 1 }
      : row,
  )
}

/** The records of these links that have a main contact by their kind, but not among them. */
function withoutMain(rows: readonly LinkRow[]): number[] {
  const ids = new Set<number>()
  for (const { entity_id, entity_type, to_entity_type } of rows)
    if (to_entity_type === 'contacts' && MAIN_CONTACT.includes(entity_type)) ids.add(entity_id)
  for (const { entity_id, is_main } of rows) if (is_main === 1) ids.delete(entity_id)
  return [...ids]
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
