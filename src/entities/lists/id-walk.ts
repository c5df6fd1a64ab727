import { type Expression, type SqlBool, sql } from 'kysely'
import { isOneOf } from '../../db/dialect.ts'
import { createTurns } from '../../fair-turns.ts'
import type { ListedEntity } from '../records/listed-columns.ts'
import { type IdSet, inAll } from './id-sets.ts'
import { idsOfWindow } from './index-windows.ts'
import { type Checks, compare, firstCompared, type List, queryOf, type Wanted } from './row-checks.ts'

/** A scan of the ids of a list, of which only the rows of ids in all sets are read. */
export interface Walk {
  sets: readonly IdSet[]
  /** The other checks of a row. */
  checks: Checks
  range: Expression<SqlBool>[]
  /** After so many ids, the scan ends. */
  ids_at_most: number
  /** After so many rows were compared in memory, the scan ends. */
  compared_at_most: number
}

/** How much more each statement of a scan reads than the one before. */
const GROWTH = 8
/** Rows of found ids that one statement checks. */
const CHECKED = 4_000

/**
 * Scans the ids of the list in its order, in the index of the order alone, and reads the rows of those in the sets. Yields to
 * other work in between. null if the scan ends before a full page is found.
 */
export async function walkIds(
  list: List,
  { sets, checks, range, ids_at_most, compared_at_most }: Walk,
  wanted: Wanted,
): Promise<ListedEntity[] | null> {
  const { db, account_id, type, order, limits } = list
  const { part, after, limit } = wanted
  const index = { account_id, type, conditions: range, order, part }
  const isCompared = checks.inMemory.length > 0
  const found: ListedEntity[] = []
  const nextTurn = createTurns()
  let [from, compared, checked] = [after, 0, firstCompared(list, limit)]
  let size = Math.ceil(limits.window / 10)
  for (let left = ids_at_most; left > 0; left -= size, size = Math.min(size * GROWTH, limits.walked, left)) {
    await nextTurn()
    const { ids, end } = await idsOfWindow(db, index, { after: from, size })
    for (const some of partsOf(inAll(sets, ids), () => checked)) {
      await nextTurn()
      const rows = await rowsOf(list, checks, some, {
        part,
        limit: isCompared ? some.length : limit - found.length,
      })
      found.push(...(await compare(list, checks, rows)))
      if (found.length >= limit) return found.slice(0, limit)
      if (isCompared) compared += rows.length
      if (compared > compared_at_most) return null
      checked = isCompared ? limits.compared : CHECKED
    }
    if (!end) return found
    from = end
  }
  return null
}

function* partsOf<T>(all: readonly T[], sizeOfNext: () => number): Generator<readonly T[]> {
  for (let at = 0; at < all.length; ) {
    const part = all.slice(at, at + sizeOfNext())
    yield part
    at += part.length
  }
}

/** The first rows of some ids that fulfil the checks of the database, in the order of the list. */
function rowsOf(
  list: List,
  { conditions, inMemory }: Checks,
  ids: readonly number[],
  wanted: Omit<Wanted, 'after'>,
): Promise<ListedEntity[]> {
  const among = { conditions: [...conditions, isOneOf(list.db, sql.ref('entities.id'), ids)], inMemory }
  return queryOf(list, among, { ...wanted, after: null }, { isSorted: true }).execute()
}
