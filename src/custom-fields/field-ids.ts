import type { Tx } from '../db/database.ts'
import { nextIdsAbove } from '../db/dialect.ts'

/** Where queries name fields by id in brackets, numbers up to this are read as places in an array. */
const PLACES = 256

/**
 * Ids for fields and for what they offer, in rising order and all above `floor`. They share one count, which after a
 * restore goes on from the last field: hence the floor where ids are added to those that a field has.
 */
export const fieldIdsAbove = (tx: Tx, floor: number, count: number): Promise<number[]> =>
  nextIdsAbove(tx, 'custom_fields', Math.max(floor, PLACES), count)
