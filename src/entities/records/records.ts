import type { Db, Tx } from '../../db/database.ts'
import type { EntityRow } from '../../db/tables.ts'
import { type Fault, noSuch, Refusal } from '../../errors.ts'
import { inParts } from '../../fair-turns.ts'
import {
  type Access,
  can,
  insufficientRights,
  loadLinkedElements,
  type RecordRight,
  seesAll,
} from './access.ts'
import { type EntityType, entityTypes } from './entity-types.ts'
import { findEntities, lockEntities, type StoredEntity } from './queries.ts'

/** A record named in a request, and its location in the request. */
export interface RecordReference {
  entity_type: EntityType
  id: number
  request_id: string
  path: string
  /** The list in which an element must be, and where the request names it. */
  list?: { id: number; path: string } | undefined
  /** The detail of the fault for a missing record, if the item names data on it. */
  missing?: string
}

/** The list of a reference to an element below a list's address; empty for other records. */
export const inList = (catalog_id: number | undefined): Pick<RecordReference, 'list'> =>
  catalog_id === undefined ? {} : { list: { id: catalog_id, path: 'id' } }

/** Where the ids are: in the address, or in the items of a body. */
export type Place = 'path' | 'item'

/** The most records locked by one statement. */
const LOCKED_AT_ONCE = 1_000

/** Locks the existing records in one order for all writers; returns them by id. */
export async function lockRecords(
  tx: Tx,
  account_id: number,
  named: readonly Pick<RecordReference, 'entity_type' | 'id'>[],
): Promise<Map<number, EntityRow>> {
  const found = new Map<number, EntityRow>()
  if (named.length === 0) return found
  const byType = Map.groupBy(named, ({ entity_type }) => entity_type)
  for (const type of [...byType.keys()].sort()) {
    const ids = [...new Set(byType.get(type)?.map(({ id }) => id))].sort((a, b) => a - b)
    for (const part of inParts(ids, LOCKED_AT_ONCE))
      for (const row of await lockEntities(tx, account_id, type, part)) found.set(row.id, row)
  }
  return found
}

/** Locks records and loads the data for their rights checks. */
export async function lockNamed(
  tx: Tx,
  access: Access,
  named: readonly Pick<RecordReference, 'entity_type' | 'id'>[],
): Promise<Map<number, EntityRow>> {
  const found = await lockRecords(tx, access.actor.account_id, named)
  await loadLinkedElements(tx, access, found.values())
  return found
}

/**
 * The rule for every write to named records (R6). A record that the actor cannot change is refused as forbidden. So
 * is an unknown id, unless all records of the kind are visible to the actor: then it is 404 in an address, and an
 * invalid choice in a body. Records in the trash and elements of another list count as missing.
 */
export function requireNamed(
  access: Access,
  right: RecordRight,
  named: readonly RecordReference[],
  found: ReadonlyMap<number, EntityRow>,
  place: Place,
  options: { trashed?: boolean } = {},
): EntityRow[] {
  const faults: Fault[] = []
  const rows = named.flatMap(({ entity_type, id, request_id, path, list, missing }) => {
    const row = found.get(id)
    const exists = row && row.entity_type === entity_type && row.is_deleted === (options.trashed ? 1 : 0)
    const isThere = exists && (list === undefined || row.catalog_id === list.id)
    const isAllowed = exists && can(access, right, row)
    if (isThere && isAllowed) return [row]
    // An actor with the right on an element may also know its list.
    if (!isAllowed && (isThere || !seesAll(access, entity_type, list?.id ?? null))) throw insufficientRights()
    if (place === 'path') throw notFound()
    const at = isAllowed && list ? list.path : path
    const detail = missing ?? noSuch(thingOf(entity_type))
    faults.push({ request_id, code: 'NotSupportedChoice', path: at, detail })
    return []
  })
  if (faults.length > 0) throw new Refusal('invalid', 'Request validation failed', { faults })
  return rows
}

const thingOf = (type: EntityType): string =>
  type === 'catalog_elements' ? 'element of this list' : entityTypes[type].singular

/** Locks the records and returns them in the given order, or refuses as requireNamed does. */
export async function requireRecords(
  tx: Tx,
  access: Access,
  right: RecordRight,
  named: readonly RecordReference[],
  place: Place,
  options: { trashed?: boolean } = {},
): Promise<EntityRow[]> {
  const found = await lockNamed(tx, access, named)
  return requireNamed(access, right, named, found, place, options)
}

/** Finds a visible record, in or out of the trash as requested. */
export async function findRecord(
  db: Db,
  access: Access,
  entity_type: EntityType,
  id: number,
  inTrash = false,
): Promise<StoredEntity | undefined> {
  const [row] = await findEntities(db, access.actor.account_id, entity_type, [id])
  if (row?.is_deleted !== (inTrash ? 1 : 0)) return undefined
  await loadLinkedElements(db, access, [row])
  return can(access, 'view', row) ? row : undefined
}

/** Like findRecord; throws Refusal('not_found') if there is none. */
export async function readRecord(...named: Parameters<typeof findRecord>): Promise<StoredEntity> {
  const row = await findRecord(...named)
  if (!row) throw notFound()
  return row
}

export const notFound = () => new Refusal('not_found', 'Entity not found')
