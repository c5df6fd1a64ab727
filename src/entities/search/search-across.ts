import { findFields } from '../../custom-fields/custom-fields.ts'
import type { Db } from '../../db/database.ts'
import { type Showing, showRecords } from '../lists/show.ts'
import { type Access, seesNothing } from '../records/access.ts'
import { type EntityType, entityTypes } from '../records/entity-types.ts'
import { findEntities, type StoredEntity } from '../records/queries.ts'
import { searchedWords } from '../records/search.ts'
import type { RecordView } from '../records/views.ts'
import { findHolders, type Holder } from './word-holders.ts'

export type Finds = Record<EntityType, RecordView[]>

/**
 * Finds visible records of all kinds by a text, best matches of each kind first: whole words, then the most
 * recently changed.
 */
export async function searchAcross(
  db: Db,
  access: Access,
  text: string,
  limit: number,
  showing: Showing,
): Promise<Finds> {
  const words = searchedWords(text)
  const found = Object.keys(entityTypes).map(async (name): Promise<[EntityType, RecordView[]]> => {
    const type = name as EntityType
    return [type, words.length === 0 ? [] : await searchKind(db, access, type, words, limit, showing)]
  })
  return Object.fromEntries(await Promise.all(found)) as Finds
}

async function searchKind(
  db: Db,
  access: Access,
  type: EntityType,
  words: string[],
  limit: number,
  showing: Showing,
): Promise<RecordView[]> {
  if (type !== 'catalog_elements' && seesNothing(access, type)) return []
  const { account_id } = access.actor
  const reader = { db, access, type }
  const { holders, scanned } = await findHolders(reader, words)
  const ids = ranked(holders, scanned).slice(0, limit)
  if (ids.length === 0) return []
  const rows = new Map(
    (await findEntities(db, account_id, type, ids)).map((row): [number, StoredEntity] => [row.id, row]),
  )
  const best = ids.flatMap((id) => rows.get(id) ?? [])
  return type === 'catalog_elements'
    ? showElements(db, access, best, showing)
    : showRecords(reader, best, await findFields(db, account_id, entityTypes[type].fields), showing)
}

/** Distinct ids: whole-word matches before prefix matches, then the most recently changed. */
function ranked(holders: Holder[], word: string): number[] {
  const order = (one: Holder) => (one.word === word ? 0 : 1)
  const sorted = holders.toSorted((a, b) => order(a) - order(b) || b.updated_at - a.updated_at || b.id - a.id)
  return [...new Set(sorted.map(({ id }) => id))]
}

/** Each list has its own fields, so this is one query per list with matches. */
async function showElements(
  db: Db,
  access: Access,
  rows: StoredEntity[],
  showing: Showing,
): Promise<RecordView[]> {
  const byList = Map.groupBy(rows, ({ catalog_id }) => catalog_id)
  const shown = await Promise.all(
    [...byList].map(async ([catalog_id, some]) => {
      const fields = await findFields(db, access.actor.account_id, 'catalogs', catalog_id)
      return showRecords({ db, access, type: 'catalog_elements' }, some, fields, showing)
    }),
  )
  const byId = new Map(shown.flat().map((view) => [view.id, view]))
  return rows.flatMap(({ id }) => byId.get(id) ?? [])
}
