import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '../database.ts'
import { withoutIndex } from '../dialect.ts'

/** The most rows of an index that are sorted for a page (S15). */
const MOST_SORTED = 10_000

/** A condition on a column that is null in most rows, and whose index is partial for that reason. */
interface RareColumn {
  column: RawBuilder<unknown>
  values: readonly number[]
  /** The rows of the index with these values, for counting them up to a limit. */
  entries: Expression<unknown>
  /** Whether the index has the rows of one value in the order of the list. */
  isInOrder: boolean
}

/** The condition of a page, and how its rows are found. */
export interface ChosenIndex {
  condition: Expression<SqlBool>
  /**
   * `in_order`: by the index, which has them in the order of the list; `sorted`: by the index, and sorted; `scanned`: in the
   * order of the list, which can read many rows.
   */
  way: 'in_order' | 'sorted' | 'scanned'
}

/** Finds rows by the index of a column if there are few, or as many as its order allows; otherwise checks each row. */
export async function chooseIndex(
  db: Db,
  { column, values, entries, isInOrder }: RareColumn,
): Promise<ChosenIndex> {
  if (isInOrder && values.length === 1) return { condition: isAmong(column, values), way: 'in_order' }
  return (await hasFew(db, entries))
    ? { condition: isAmong(column, values), way: 'sorted' }
    : byRow(db, column, values)
}

/** Checks each row of a list that is scanned in its order. */
export const byRow = (db: Db, column: RawBuilder<unknown>, values: readonly number[]): ChosenIndex => ({
  condition: isAmong(withoutIndex(db, column), values),
  way: 'scanned',
})

/** Whether a column has one of a few values. A single one keeps the order of an index. */
export function isAmong(column: RawBuilder<unknown>, values: readonly number[]): Expression<SqlBool> {
  if (values.length === 0) return sql<SqlBool>`1 = 0`
  return values.length === 1
    ? sql<SqlBool>`${column} = ${values[0]}`
    : sql<SqlBool>`${column} in (${sql.join(values)})`
}

async function hasFew(db: Db, entries: Expression<unknown>): Promise<boolean> {
  const { rows } = await sql<{ count: number }>`select count(*) as count
    from (select 1 as one from (${entries}) as entries limit ${MOST_SORTED + 1}) as counted`.execute(db)
  return Number(rows[0]?.count) <= MOST_SORTED
}
