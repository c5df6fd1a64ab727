import { type Expression, type SqlBool, sql } from 'kysely'
import { readInBackground } from '../../db/background-reads.ts'
import type { Db, Tx } from '../../db/database.ts'
import { forUpdate, holds, isOneOf } from '../../db/dialect.ts'
import { batched } from '../../db/prepared.ts'
import { deleteRows, insertMissingRows, replaceRows } from '../../db/row-sets.ts'
import type { EntityTagRow, TagRow } from '../../db/tables.ts'
import { holdsWords } from '../../db/words.ts'
import { inParts } from '../../fair-turns.ts'

/** A tag of a record. */
export interface CarriedTag extends Pick<TagRow, 'id' | 'name' | 'color'> {
  entity_id: number
}

const carriedTags = batched((db, at: { account_id: number; entity_type: string; ids: readonly number[] }) =>
  db
    .selectFrom('entity_tags')
    .innerJoin('tags', (join) =>
      join.on('tags.account_id', '=', at.account_id).onRef('tags.id', '=', 'entity_tags.tag_id'),
    )
    .where('entity_tags.account_id', '=', at.account_id)
    .where((eb) => isOneOf(db, eb.ref('entity_tags.entity_id'), at.ids))
    .where('tags.entity_type', '=', at.entity_type)
    .select(['entity_tags.entity_id', 'tags.id', 'tags.name', 'tags.color'])
    .orderBy('entity_tags.entity_id')
    .orderBy('tags.id'),
)

/** The tags of a page of records, in the order of their ids. One prepared query. */
export const tagsOfEntities = (
  db: Db,
  account_id: number,
  entity_type: string,
  ids: readonly number[],
): Promise<CarriedTag[]> => carriedTags(db, { account_id, entity_type, ids })

const tagsOf = (db: Db, account_id: number, entity_type: string) =>
  db
    .selectFrom('tags')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('entity_type', '=', entity_type)

/** The most tags that one statement looks up. */
const NAMED_AT_ONCE = 2_000

export async function findTags(
  db: Db,
  account_id: number,
  entity_type: string,
  named: { ids: readonly number[]; names: readonly string[] },
): Promise<TagRow[]> {
  const found: TagRow[] = []
  for (const ids of inParts(named.ids, NAMED_AT_ONCE))
    found.push(
      ...(await tagsOf(db, account_id, entity_type)
        .where((eb) => isOneOf(db, eb.ref('id'), ids))
        .execute()),
    )
  for (const names of inParts(named.names, NAMED_AT_ONCE))
    found.push(
      ...(await tagsOf(db, account_id, entity_type)
        .where((eb) => isOneOf(db, eb.ref('name'), names))
        .execute()),
    )
  return [...new Map(found.map((tag) => [tag.id, tag])).values()]
}

/** A page of the tags of a kind in the order of ids. The words of `query` are searched in names. */
export function listTagRows(
  db: Db,
  account_id: number,
  entity_type: string,
  asked: { ids: number[]; names: string[]; query: string; limit: number; offset: number },
): Promise<TagRow[]> {
  let rows = tagsOf(db, account_id, entity_type)
  if (asked.ids.length > 0) rows = rows.where((eb) => isOneOf(db, eb.ref('id'), asked.ids))
  if (asked.names.length > 0) rows = rows.where((eb) => isOneOf(db, eb.ref('name'), asked.names))
  const words = holdsWords(db, sql.ref('name'), asked.query)
  for (const hasWord of words) rows = rows.where(hasWord)
  const page = rows.orderBy('id').limit(asked.limit).offset(asked.offset)
  // A search within names scans the tags of the kind. An integration that makes tags of campaigns has many.
  return words.length > 0 ? readInBackground(db, account_id, page) : page.execute()
}

/** The tag for a change: it cannot be changed or deleted meanwhile. */
export async function lockTags(
  tx: Tx,
  account_id: number,
  entity_type: string,
  ids: readonly number[],
): Promise<Map<number, TagRow>> {
  const rows = await tagsOf(tx, account_id, entity_type)
    .where((eb) => isOneOf(tx, eb.ref('id'), ids))
    .orderBy('id')
    .modifyEnd(forUpdate(tx))
    .execute()
  return new Map(rows.map((tag) => [tag.id, tag]))
}

export const replaceTags = (tx: Tx, rows: TagRow[]): Promise<void> =>
  replaceRows(tx, 'tags', ['account_id', 'entity_type', 'id'], rows)

/** Deletes a tag. Records that had it are no longer found by it. */
export const deleteTag = (tx: Tx, { account_id, entity_type, id }: TagRow): Promise<void> =>
  deleteRows(tx, 'tags', [{ account_id, entity_type, id }])

export const insertTags = (tx: Tx, rows: TagRow[]): Promise<void> => insertMissingRows(tx, 'tags', rows)

export const insertEntityTags = (tx: Tx, rows: EntityTagRow[]): Promise<void> =>
  insertMissingRows(tx, 'entity_tags', rows)

export const deleteEntityTags = (tx: Tx, rows: EntityTagRow[]): Promise<void> =>
  deleteRows(tx, 'entity_tags', rows)

/** Records with any of these tags, if the tags exist; by entity_tags_by_tag. */
export function taggedRecords(db: Db, account_id: number, entity_type: string, tag_ids: readonly number[]) {
  const existing = tagsOf(db, account_id, entity_type).clearSelect().select('tags.id')
  const [first] = tag_ids
  return db
    .selectFrom('entity_tags')
    .select('entity_tags.entity_id')
    .where('entity_tags.account_id', '=', account_id)
    .where((eb) =>
      first !== undefined && tag_ids.length === 1
        ? // A constant, because the database knows how many records have it.
          eb.and([eb('entity_tags.tag_id', '=', first), eb.exists(existing.where('tags.id', '=', first))])
        : eb(
            'entity_tags.tag_id',
            'in',
            existing.where((tag) => isOneOf(db, tag.ref('tags.id'), tag_ids)),
          ),
    )
}

/** The condition that a row of `entities` has any of these tags; by the primary key of entity_tags. */
export const isTagged = (
  db: Db,
  account_id: number,
  entity_type: string,
  tag_ids: readonly number[],
): Expression<SqlBool> =>
  holds(
    taggedRecords(db, account_id, entity_type, tag_ids)
      .clearSelect()
      .select(sql.lit(1).as('one'))
      .where('entity_tags.entity_id', '=', sql.ref<number>('entities.id'))
      .limit(1),
  )
