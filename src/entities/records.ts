import type { Db, Tx } from '../db/database.ts'
import type { EntityRow } from '../db/tables.ts'
import { type Fault, Refusal } from '../errors.ts'
import { type Access, insufficientRights, learnHeld, mayDo, type RecordRight, seesAll } from './access.ts'
import type { EntityType } from './entity-types.ts'
import { findEntities, lockEntities, type StoredEntity } from './queries.ts'
import { NOT_A_CHOICE } from './working-copy.ts'

/** A record that a request names, and where in the request it does. */
export interface RecordReference {
  entity_type: EntityType
  id: number
  request_id: string
  path: string
  /** The list that an element has to be of, and where the request says so. */
  list?: { id: number; path: string } | undefined
}

/** What a reference to an element below a list's address says of that list; nothing for other records. */
export const inList = (catalog_id: number | undefined): Pick<RecordReference, 'list'> =>
  catalog_id === undefined ? {} : { list: { id: catalog_id, path: 'id' } }

/** Where the ids stand: in the address, or in the items of a body. */
export type Place = 'path' | 'item'

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
    for (const row of await lockEntities(tx, account_id, type, ids)) found.set(row.id, row)
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
  await learnHeld(tx, access, found.values())
  return found
}

/**
 * The rule for every write that names records (N2a). What the person may not change is refused as forbidden, and so is
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
  const rows = named.flatMap(({ entity_type, id, request_id, path, list }) => {
    const row = found.get(id)
    const exists = row && row.entity_type === entity_type && row.is_deleted === (options.trashed ? 1 : 0)
    const isThere = exists && (list === undefined || row.catalog_id === list.id)
    const isAllowed = exists && mayDo(access, right, row)
    if (isThere && isAllowed) return [row]
    // Of what he may do it with, he may know of which list it is.
    if (!isAllowed && (isThere || !seesAll(access, entity_type, list?.id ?? null))) throw insufficientRights()
    if (place === 'path') throw notFound()
    const at = isAllowed && list ? list.path : path
    faults.push({ request_id, code: 'NotSupportedChoice', path: at, detail: NOT_A_CHOICE })
    return []
  })
  if (faults.length > 0) throw new Refusal('invalid', 'Request validation failed', { faults })
  return rows
}

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

/** The record when it may be seen and is where it is looked for, in the trash or out of it; else Refusal('not_found'). */
export async function readRecord(
  db: Db,
  access: Access,
  entity_type: EntityType,
  id: number,
  inTrash = false,
): Promise<StoredEntity> {
  const [row] = await findEntities(db, access.actor.account_id, entity_type, [id])
  const isThere = row && row.is_deleted === (inTrash ? 1 : 0)
  if (!isThere) throw notFound()
  await learnHeld(db, access, [row])
  if (!mayDo(access, 'view', row)) throw notFound()
  return row
}

export const notFound = () => new Refusal('not_found', 'Entity not found')
