import type { Tx } from '../db/database.ts'
import { nextIds } from '../db/dialect.ts'

/** Where queries name fields by id in brackets, numbers up to this are read as places in an array. */
const PLACES = 256

/**
 * Ids for fields and for what they offer, in rising order and all above `floor`. They share one count, which after a
 * restore goes on from the last field: hence the floor where ids are added to those that a field has.
 */
export async function fieldIdsAbove(tx: Tx, floor: number, count: number): Promise<number[]> {
  if (count === 0) return []
  const ids = await nextIds(tx, 'custom_fields', count)
  const missing = Math.max(floor, PLACES) - (ids[0] as number) + 1
  if (missing <= 0) return ids
  if (missing > count) await nextIds(tx, 'custom_fields', missing - count)
  return nextIds(tx, 'custom_fields', count)
}
