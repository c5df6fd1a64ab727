import type { Tx } from '../../db/database.ts'
import { nextIdsAbove } from '../../db/dialect.ts'

/** Query parsers read numbers up to this in brackets as array positions. */
const PLACES = 256

/**
 * Ids for fields and choices, in ascending order and all above `floor`. They share one sequence, which continues
 * from the last field after a restore. So when choices are added to a field, `floor` is its largest id.
 */
export const fieldIdsAbove = (tx: Tx, floor: number, count: number): Promise<number[]> =>
  nextIdsAbove(tx, 'custom_fields', Math.max(floor, PLACES), count)
