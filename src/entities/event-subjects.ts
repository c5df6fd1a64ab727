import type { Db } from '../db/database.ts'
import type { Limit, Subjects, Visibility } from '../events/events.ts'
import { type Access, canSeeList, seesAll } from './access.ts'
import { findCatalogs } from './catalog-queries.ts'
import { type CardType, cardTypes, type EntityType, entityTypes } from './entity-types.ts'
import { isVisible, namesOf, visibleIds } from './queries.ts'

/** Whether all records of all kinds are visible to the actor. */
export const seesAllRecords = (access: Access): boolean =>
  (Object.keys(entityTypes) as EntityType[]).every((type) => seesAll(access, type))

/** The visibility of each kind of record, including the trash: events of deleted records stay visible. */
export async function recordVisibilities(db: Db, access: Access): Promise<Visibility[]> {
  const cards = cardTypes.map((type) => ({
    entity_type: entityTypes[type].singular,
    limit: seesAll(access, type) ? null : limitOf(db, access, type),
  }))
  const lists = await findCatalogs(db, access.actor)
  const elements = lists
    .filter(({ id }) => canSeeList(access, id))
    .map(({ id }) => ({
      entity_type: `catalog_${id}`,
      limit: seesAll(access, 'catalog_elements', id) ? null : limitOf(db, access, 'catalog_elements', id),
    }))
  return [...cards, ...elements]
}

function limitOf(db: Db, access: Access, type: EntityType, catalog_id: number | null = null): Limit {
  // Tasks check the same records.
  let few: Promise<number[] | null> | undefined
  return {
    covers: (id_column) => isVisible(db, access, type, catalog_id, id_column),
    few: (most) => {
      few ??= visibleIds(db, access, type, catalog_id, most)
      return few
    },
  }
}

const kinds = new Map<string, EntityType>(
  cardTypes.map((type: CardType) => [entityTypes[type].singular, type]),
)

/** See Subjects. */
export const recordNames: Subjects['names'] = async (db, account_id, entity_type, ids) => {
  if (entity_type === 'catalogs') {
    const lists = await findCatalogs(db, { account_id })
    return new Map(lists.map(({ id, name }) => [id, name]))
  }
  const type = entity_type.startsWith('catalog_') ? 'catalog_elements' : kinds.get(entity_type)
  return type ? namesOf(db, account_id, type, ids) : new Map()
}
