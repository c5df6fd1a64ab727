import type { Tx } from '../../db/database.ts'
import type { EntityRow } from '../../db/tables.ts'
import { lockEntities } from '../records/queries.ts'
import { findSurvivor } from './merge-queries.ts'

/**
 * Locks the record or its final survivor after merges; undefined if it is in the trash. Short links, visitors and
 * surveys keep the id of their original record.
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
  // It was merged while this transaction waited for the lock.
  return row.merged_into === null ? undefined : lockSurvivor(tx, account_id, entity_type, row.merged_into)
}
