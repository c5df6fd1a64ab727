import type { Actor } from '../accounts/accounts.ts'
import { findFileFields, holdersOfFile } from '../custom-fields/custom-fields.ts'
import type { Db } from '../db/database.ts'
import { type FileUses, visibleFile } from '../drive/drive.ts'
import { recordsWithFile } from '../notes/notes.ts'
import { can, loadAccess, loadLinkedElements } from './access.ts'
import type { EntityType } from './entity-types.ts'
import { findEntities, type StoredEntity } from './queries.ts'

/** The most records that are listed for a file. */
const MOST = 250

/**
 * The visible records that have a file, as an attachment or in a field: the newest of each use. Refusal('not_found') if
 * the file is hidden from the actor (D1).
 */
export async function listFileLinks(
  db: Db,
  actor: Actor,
  uses: FileUses,
  file_uuid: string,
): Promise<{ file_uuid: string; rows: StoredEntity[] }> {
  const { uuid, account_id } = await visibleFile(db, actor, uses, file_uuid.toLowerCase())
  const named = new Map<EntityType, Set<number>>()
  const name = (type: string, id: number) => {
    const ids = named.get(type as EntityType) ?? new Set()
    named.set(type as EntityType, ids.add(id))
  }
  for (const { entity_type, entity_id } of await recordsWithFile(db, account_id, uuid, MOST))
    name(entity_type, entity_id)
  for (const { id, entity_type, catalog_id } of await findFileFields(db, account_id)) {
    const type = catalog_id === null ? entity_type : 'catalog_elements'
    for (const holder of await holdersOfFile(db, account_id, id, uuid, MOST)) name(type, holder)
  }
  const access = await loadAccess(db, actor)
  const found: StoredEntity[] = []
  for (const [type, ids] of named) {
    const rows = await findEntities(db, account_id, type, [...ids])
    await loadLinkedElements(db, access, rows)
    found.push(...rows.filter((row) => row.is_deleted === 0 && can(access, 'view', row)))
  }
  const rows = found.sort((a, b) => b.id - a.id).slice(0, MOST)
  return { file_uuid: uuid, rows }
}
