import { type Expression, type SqlBool, sql } from 'kysely'
import { isOneOf } from '../db/dialect.ts'
import { createTurns } from '../fair-turns.ts'
import { type IdSet, inAll } from './id-sets.ts'
import type { ListedEntity } from './listed-columns.ts'
import { idsOfWindow, type Part } from './page-query.ts'
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
  part: Part,
  { after, limit }: Wanted,
): Promise<ListedEntity[] | null> {
  const { db, account_id, type, order, limits } = list
  const isCompared = checks.inMemory.length > 0
  const found: ListedEntity[] = []
  const nextTurn = createTurns()
  let [from, compared, returned] = [after, 0, firstCompared(list, limit)]
  for (let size = Math.ceil(limits.window / 10), walked = 0; walked < ids_at_most; ) {
    await nextTurn()
    const next = { after: from, size }
    const { ids, end } = await idsOfWindow(db, account_id, type, range, order, next, part)
    const among = inAll(sets, ids)
    for (let at = 0; at < among.length; ) {
      await nextTurn()
      const some = among.slice(at, at + returned)
      const conditions = [...checks.conditions, isOneOf(db, sql.ref('entities.id'), some)]
      const most = isCompared ? some.length : limit - found.length
      const query = queryOf(
        list,
        { ...checks, conditions },
        part,
        { after: null, limit: most },
        { isSorted: true },
      )
      const rows = await query.execute()
      found.push(...(await compare(list, checks, rows)))
      if (found.length >= limit) return found.slice(0, limit)
      at += some.length
      if (isCompared) compared += rows.length
      if (compared > compared_at_most) return null
      returned = isCompared ? limits.compared : CHECKED
    }
    if (!end) return found
    from = end
    walked += size
    size = Math.min(size * GROWTH, limits.walked)
  }
  return null
}
