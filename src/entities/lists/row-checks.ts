import type { Expression, SqlBool } from 'kysely'
import type { FieldSet } from '../../custom-fields/custom-fields.ts'
import { readInBackground } from '../../db/background-reads.ts'
import type { Db } from '../../db/database.ts'
import { createTurns } from '../../fair-turns.ts'
import type { ValuePosition } from '../../http/queries/paging.ts'
import type { EntityType } from '../records/entity-types.ts'
import type { ListedEntity } from '../records/listed-columns.ts'
import { endOfWindow } from './index-windows.ts'
import type { Narrowing } from './narrowings.ts'
import { type InOrder, type Part, pageWith, positionIn } from './page-query.ts'
import type { ScanLimits } from './scan-limits.ts'

/** The list of which a page is read. */
export interface List {
  db: Db
  account_id: number
  type: EntityType
  fields: FieldSet
  order: InOrder['order']
  limits: ScanLimits
}

/** The checks of a row: by the database, and after it is read. */
export interface Checks {
  conditions: Expression<SqlBool>[]
  inMemory: NonNullable<Narrowing['inMemory']>[]
}

/** Where a page begins, and the most rows that it needs. */
export interface Wanted {
  part: Part
  after: ValuePosition | null
  limit: number
}

/** Reads the rows that fulfil the checks and sorts them; null if too many of them must be compared in memory. */
export async function readSorted(
  list: List,
  checks: Checks,
  wanted: Wanted,
  { inBackground }: { inBackground: boolean },
): Promise<ListedEntity[] | null> {
  const { limit } = wanted
  const isCompared = checks.inMemory.length > 0
  // Sorting again costs less than reading more rows than are needed.
  for (const most of isCompared ? [firstCompared(list, limit), list.limits.compared_at_most] : [limit]) {
    const query = queryOf(list, checks, { ...wanted, limit: most }, { isSorted: true })
    const rows = await (inBackground ? readInBackground(list.db, list.account_id, query) : query.execute())
    const matching = await compare(list, checks, rows)
    if (matching.length >= limit || rows.length < most) return matching.slice(0, limit)
  }
  return null
}

/** Rows that the first statement returns to be compared: often most of them match. */
export const firstCompared = ({ limits }: List, limit: number): number => Math.min(limits.compared, 2 * limit)

/** The scanned part of a list: the conditions of its index, and the number of windows. */
export interface Scan {
  checks: Checks
  range: Expression<SqlBool>[]
  windows: number
  /** After so many rows were compared in memory, the scan ends. */
  compared_at_most: number
}

/**
 * Scans the list in its order, a window at a time, and yields to other work in between. null if the windows are used up,
 * or too many rows must be compared in memory.
 */
export async function readWindows(
  list: List,
  { checks, range, windows, compared_at_most }: Scan,
  { part, after, limit }: Wanted,
): Promise<ListedEntity[] | null> {
  const { db, account_id, type, order, limits } = list
  const index = { account_id, type, conditions: range, order, part }
  const found: ListedEntity[] = []
  const nextTurn = createTurns()
  let compared = 0
  let returned = firstCompared(list, limit)
  let from = after
  for (let n = 0; n < windows; n++) {
    const until = await endOfWindow(db, index, { after: from, size: sizeOf(limits, n) })
    for (let isEnd = false; !isEnd; ) {
      await nextTurn()
      const most = checks.inMemory.length > 0 ? returned : limit - found.length
      const wanted = { part, after: from, until: until ?? null, limit: most }
      const query = queryOf(list, checks, wanted, { isSorted: false })
      const rows = await query.execute()
      found.push(...(await compare(list, checks, rows)))
      if (found.length >= limit) return found.slice(0, limit)
      if (checks.inMemory.length > 0) compared += rows.length
      returned = limits.compared
      if (compared > compared_at_most) return null
      const last = rows.at(-1)
      isEnd = rows.length < most || !last
      if (last) from = positionIn(order, last)
    }
    if (!until) return found
    from = until
  }
  return null
}

/** Most often, the first window has the rows of a page. PostgreSQL can check all rows of a window before it sorts them. */
const sizeOf = ({ window }: ScanLimits, n: number): number =>
  Math.min(window, Math.ceil(window / 10) * 8 ** n)

/** The query for the rows of a page that fulfil the checks of the database. */
export const queryOf = (
  { db, account_id, type, order }: List,
  { conditions }: Checks,
  wanted: Wanted & { until?: ValuePosition | null },
  { isSorted }: { isSorted: boolean },
) => pageWith(db, account_id, type, { conditions, isSorted }, { ...wanted, order, offset: 0 })

/** The rows that fulfil the checks in memory, in their order. Yields to other work in between. */
export async function compare(
  { fields }: List,
  { inMemory }: Checks,
  rows: ListedEntity[],
): Promise<ListedEntity[]> {
  if (inMemory.length === 0) return rows
  const nextTurn = createTurns()
  const matching: ListedEntity[] = []
  for (const row of rows) {
    if (inMemory.every((isMatch) => isMatch(row, fields))) matching.push(row)
    await nextTurn()
  }
  return matching
}
