import type { Db } from '../db/database.ts'
import type { Limit, Subjects, Visibility } from '../events/events.ts'
import { findCatalogs } from './elements/catalog-queries.ts'
import { type Access, canSeeList, onlyPerson, seesAll } from './records/access.ts'
import { type CardType, cardTypes, type EntityType, entityTypes } from './records/entity-types.ts'
import { type RecordsOfPerson, recordsOfPerson } from './records/person-queries.ts'
import { isVisible, namesOf, visibleIds } from './records/queries.ts'

/** Whether all records of all kinds are visible to the actor. */
export const seesAllRecords = (access: Access): boolean =>
  (Object.keys(entityTypes) as EntityType[]).every((type) => seesAll(access, type))

/** The visibility of each kind of record, including the trash: events of deleted records stay visible. */
export async function recordVisibilities(db: Db, access: Access): Promise<Visibility[]> {
  const limitOf = limitsOf(db, access)
  const cards = cardTypes.map((type) => ({
    entity_type: entityTypes[type].singular,
    limit: seesAll(access, type) ? null : limitOf(type),
  }))
  const lists = await findCatalogs(db, access.actor)
  const elements = lists
    .filter(({ id }) => canSeeList(access, id))
    .map(({ id }) => ({
      entity_type: `catalog_${id}`,
      limit: seesAll(access, 'catalog_elements', id) ? null : limitOf('catalog_elements', id),
    }))
  return [...cards, ...elements]
}

function limitsOf(db: Db, access: Access) {
  const { account_id, user_id } = access.actor
  const ownKinds: EntityType[] = cardTypes.filter((type) => onlyPerson(access, type) === user_id)
  let own: RecordsOfPerson | undefined
  const fewOf = (type: EntityType, catalog_id: number | null, most: number): Promise<number[] | null> => {
    if (!ownKinds.includes(type)) return visibleIds(db, access, type, catalog_id, most)
    own ??= recordsOfPerson(db, { account_id, person: user_id }, ownKinds, most)
    return own(type)
  }
  return (type: EntityType, catalog_id: number | null = null): Limit => {
    // Tasks check the same records.
    let few: Promise<number[] | null> | undefined
    return {
      covers: (id_column) => isVisible(db, access, type, catalog_id, id_column),
      few: (most) => {
        few ??= fewOf(type, catalog_id, most)
        return few
      },
    }
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
