import type { Db } from '../../db/database.ts'
import { idsInTimeOfRow } from '../../db/dialect.ts'

/**
 * How the rows of a page are found. The index of a condition has them in another order than the list, so all of them
 * must be sorted for one page. If they are many, it is faster to scan the list in its order and to check each row; if
 * they are few, that would scan the whole list. So the entries of each index are counted first, up to a limit.
 */
export interface ScanLimits {
  /** The most entries that are sorted for a page at once. */
  sorted: number
  /** The most entries that are sorted after a scan has found too few rows. */
  listed: number
  /** Rows that one statement scans. */
  window: number
  /** Windows that are scanned before the entries are sorted instead. */
  windows: number
  /** Ids that one statement reads from the index of the order, to find those that are in sets. */
  walked: number
  /** Ids that are read for each entry before the entries are sorted after all. */
  walked_for_each: number
  /** Rows that one statement returns to be compared in memory. */
  compared: number
  /** After so many rows were compared, too few match in this order. */
  compared_at_most: number
}

/** With a million records, no statement on the event loop takes more than 50 ms. */
export const scanLimits = {
  sorted: 10_000,
  listed: 100_000,
  window: 10_000,
  windows: 3,
  walked: 64_000,
  compared: 500,
  compared_at_most: 1_000,
}

/** The limits for a database. */
export const scanLimitsOf = (db: Db): ScanLimits => ({ ...scanLimits, walked_for_each: idsInTimeOfRow(db) })
