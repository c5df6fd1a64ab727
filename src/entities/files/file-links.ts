import type { Actor } from '../../accounts/accounts.ts'
import { findFileFields, holdersOfFile } from '../../custom-fields/custom-fields.ts'
import type { Db } from '../../db/database.ts'
import type { EntityRow } from '../../db/tables.ts'
import { type FileUses, visibleFile } from '../../drive/drive.ts'
import { recordsWithFile } from '../../notes/notes.ts'
import { type Access, can, loadAccess, loadLinkedElements } from '../records/access.ts'
import type { EntityType } from '../records/entity-types.ts'
import { findEntities, type StoredEntity } from '../records/queries.ts'

/** The most records that are listed for a file. They are looked up as many at a time. */
const MOST = 250
/** Look-ups for each use. A person who sees hardly any record cannot make the server read all. */
const LOOK_UPS = 20

/** The kind and the id of a record. */
type Holder = Pick<EntityRow, 'entity_type' | 'id'>

/** The newest records with an id below `before` that use a file in one way, visible or not. */
type Use = (before: number) => Promise<Holder[]>

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
  const access = await loadAccess(db, actor)
  const found = new Map<number, StoredEntity>()
  for (const use of await usesOf(db, account_id, uuid))
    for (const row of await newestVisible(db, access, use)) found.set(row.id, row)
  const rows = [...found.values()].sort((a, b) => b.id - a.id).slice(0, MOST)
  return { file_uuid: uuid, rows }
}

async function usesOf(db: Db, account_id: number, uuid: string): Promise<Use[]> {
  const notes: Use = async (before) => {
    const rows = await recordsWithFile(db, account_id, uuid, { before, most: MOST })
    return rows.map(({ entity_type, entity_id }) => ({ entity_type, id: entity_id }))
  }
  const fields = (await findFileFields(db, account_id)).map(({ id, entity_type, catalog_id }): Use => {
    const type = catalog_id === null ? entity_type : 'catalog_elements'
    return async (before) => {
      const ids = await holdersOfFile(db, { account_id, field_id: id, uuid }, { before, most: MOST })
      return ids.map((holder) => ({ entity_type: type, id: holder }))
    }
  })
  return [notes, ...fields]
}

async function newestVisible(db: Db, access: Access, use: Use): Promise<StoredEntity[]> {
  const visible: StoredEntity[] = []
  let before = Number.MAX_SAFE_INTEGER
  for (let lookUps = 0; lookUps < LOOK_UPS && visible.length < MOST; lookUps++) {
    const holders = await use(before)
    for (const [type, some] of Map.groupBy(holders, ({ entity_type }) => entity_type as EntityType)) {
      const ids = some.map(({ id }) => id)
      const rows = await findEntities(db, access.actor.account_id, type, ids)
      await loadLinkedElements(db, access, rows)
      visible.push(...rows.filter((row) => row.is_deleted === 0 && can(access, 'view', row)))
    }
    if (holders.length < MOST) break
    before = holders.at(-1)?.id ?? 0
  }
  return visible
}
