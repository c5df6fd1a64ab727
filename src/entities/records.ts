import type { Db, Tx } from '../db/database.ts'
import type { EntityRow } from '../db/tables.ts'
import { type Fault, noSuch, Refusal } from '../errors.ts'
import { inParts } from '../fair-turns.ts'
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

/** A record that a request names, and where in the request it does. */
export interface RecordReference {
  entity_type: EntityType
  id: number
  request_id: string
  path: string
  /** The list that an element has to be of, and where the request says so. */
  list?: { id: number; path: string } | undefined
  /** The detail of the fault of a missing record, where the item names something on it. */
  missing?: string
}

/** What a reference to an element below a list's address says of that list; nothing for other records. */
export const inList = (catalog_id: number | undefined): Pick<RecordReference, 'list'> =>
  catalog_id === undefined ? {} : { list: { id: catalog_id, path: 'id' } }

/** Where the ids stand: in the address, or in the items of a body. */
export type Place = 'path' | 'item'

/** Records that one statement locks. */
const LOCKED_AT_ONCE = 1_000

/** Locks, in one order for all writers, the records that exist; by id. */
export async function lockRecords(
  tx: Tx,
  account_id: number,
  named: readonly Pick<RecordReference, 'entity_type' | 'id'>[],
): Promise<Map<number, EntityRow>> {
  const byType = Map.groupBy(named, ({ entity_type }) => entity_type)
  const found = new Map<number, EntityRow>()
  for (const type of [...byType.keys()].sort()) {
    const ids = [...new Set(byType.get(type)?.map(({ id }) => id))].sort((a, b) => a - b)
    for (const part of inParts(ids, LOCKED_AT_ONCE))
      for (const row of await lockEntities(tx, account_id, type, part)) found.set(row.id, row)
  }
  return found
}

/** The same for records whose rights will be asked for. */
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
 * The rule for every write that names records (R6). What the person may not change is refused as forbidden, and so is
 * an id that does not exist, unless he sees everything of the kind: then it is not found in an address, and no valid
 * choice in a body. What lies in the trash counts as missing, and so does an element in a list that it is not of.
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
    // Of what he may do it with, he may know of which list it is.
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

/** Locks the records and answers them in the order given, or refuses as requireNamed says. */
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

/** The record when the person may see it and it is where they look for it, in the trash or out of it. */
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

/** The same; throws Refusal('not_found') where findRecord finds nothing. */
export async function readRecord(...named: Parameters<typeof findRecord>): Promise<StoredEntity> {
  const row = await findRecord(...named)
  if (!row) throw notFound()
  return row
}

export const notFound = () => new Refusal('not_found', 'Entity not found')
