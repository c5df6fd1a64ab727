import type { Tx } from '../db/database.ts'
import type { EntityRow } from '../db/tables.ts'
import { findSurvivor } from './merge-queries.ts'
import { lockEntities } from './queries.ts'

/**
 * The record that stands for another one now, locked: itself, or that into which it was merged. Undefined when it lies
 * in the trash. Short links, visitors and surveys keep the id that they were made for.
 */
export async function lockSurvivor(
  tx: Tx,
  account_id: number,
  entity_type: string,
  id: number,
): Promise<EntityRow | undefined> {
  const standing = await findSurvivor(tx, account_id, entity_type, id)
  if (standing === undefined) return undefined
  const [row] = await lockEntities(tx, account_id, entity_type, [standing])
  if (!row || row.is_deleted === 0) return row
  // Somebody merged it while we waited for it.
  return row.merged_into === null ? undefined : lockSurvivor(tx, account_id, entity_type, row.merged_into)
}
