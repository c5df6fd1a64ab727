import { sql } from 'kysely'
import type { FieldSet } from '../custom-fields/custom-fields.ts'
import type { Db } from '../db/database.ts'
import { createTurns } from '../fair-turns.ts'
import type { ValuePosition } from '../http/paging.ts'
import type { Access } from './access.ts'
import { otherConditions, type Within } from './conditions.ts'
import type { EntityType } from './entity-types.ts'
import { type Narrowing, narrowingsOf } from './narrowings.ts'
import { endOfWindow, type InOrder, type Part, pageQuery, pageWith } from './page-query.ts'
import type { StoredEntity } from './queries.ts'

/**
 * How the rows of a page are found. The index of a condition has them in another order than the list, so all of them
 * must be sorted for one page. If they are many, it is faster to scan the list in its order and to check each row; if
 * they are few, that would scan the whole list. So the entries of each index are counted first, up to a limit.
 */
export interface ScanLimits {
  /** The most entries that are sorted for a page. */
  sorted: number
  /** The same for a condition that needs the whole row, which takes longer to check. */
  sorted_in_memory: number
  /** Rows that one statement scans. */
  window: number
  /** Rows that one statement returns to be compared in memory. */
  compared: number
  /** After so many rows were compared, too few match in this order, and all records of the conditions are sorted. */
  compared_at_most: number
}

/** With a million records, both ways take about as long at these limits, and no statement takes more than 50 ms. */
export const scanLimits: ScanLimits = {
  sorted: 10_000,
  sorted_in_memory: 30_000,
  window: 10_000,
  compared: 500,
  compared_at_most: 4_000,
}

interface At {
  after: ValuePosition | null
  limit: number
  offset: number
}

/** The rows of one part of the list that match, in its order. */
export type ReadRows = (part: Part, at: At) => Promise<StoredEntity[]>

/** Chooses how to find the rows of a page. `fields` are those of the kind, or of the list of elements. */
export async function chooseScan(
  db: Db,
  access: Access,
  type: EntityType,
  filter: InOrder,
  fields: FieldSet,
  within: Within,
  limits: ScanLimits = scanLimits,
): Promise<ReadRows> {
  const { account_id } = access.actor
  const { order } = filter
  const byIndexes: ReadRows = (part, at) =>
    pageQuery(db, access, type, filter, { ...within, ...at }, part).execute()
  const narrowings = narrowingsOf(db, account_id, type, filter)
  const served = narrowings.find(({ orders }) => orders.includes(order.column))
  const others = narrowings.filter((one) => one !== served)
  if (others.length === 0) return byIndexes

  const rare = await rarest(db, others, limits)
  const first = rare ?? served
  const rest = narrowings.filter((one) => one !== first)
  const conditions = [
    ...otherConditions(db, access, type, filter, within),
    ...(first ? [first.byIndex] : []),
    ...rest.flatMap(({ byRow, inMemory, byIndex }) => byRow ?? (inMemory ? [] : byIndex)),
  ]
  const checks = rest.flatMap(({ byRow, inMemory }) => (byRow === null && inMemory ? [inMemory] : []))

  let compared = 0
  const isTooRare = () => compared > limits.compared_at_most
  const rowsWithin = async (part: Part, at: At, until: ValuePosition | null): Promise<StoredEntity[]> => {
    const read = (after: ValuePosition | null, limit: number) =>
      pageWith(
        db,
        account_id,
        type,
        { conditions, isSorted: rare !== undefined },
        order,
        { ...within, after, until, limit, offset: 0 },
        part,
      ).execute()
    if (checks.length === 0) return read(at.after, at.limit)
    const rows: StoredEntity[] = []
    const nextTurn = createTurns()
    for (let after = at.after; ; await nextTurn()) {
      const some = await read(after, limits.compared)
      rows.push(...some.filter((row) => checks.every((isMatch) => isMatch(row, fields))))
      compared += some.length
      const last = some.at(-1)
      const isEnd = some.length < limits.compared || !last
      if (rows.length >= at.limit || isEnd || isTooRare()) return rows.slice(0, at.limit)
      after = positionIn(order, last)
    }
  }
  // A skipped page is counted by the database. Clients that follow `next` skip none.
  return async (part, at) => {
    if (at.offset > 0) return byIndexes(part, at)
    if (rare) {
      const rows = await rowsWithin(part, at, null)
      return rows.length < at.limit && isTooRare() ? byIndexes(part, at) : rows
    }
    const scanned = served ? [served.byIndex] : []
    const rows: StoredEntity[] = []
    const nextTurn = createTurns()
    for (let after = at.after; ; await nextTurn()) {
      const window = { after, size: limits.window }
      const until = await endOfWindow(db, account_id, type, scanned, order, window, part)
      rows.push(...(await rowsWithin(part, { ...at, after, limit: at.limit - rows.length }, until ?? null)))
      if (rows.length >= at.limit) return rows
      if (isTooRare()) return byIndexes(part, at)
      if (!until) return rows
      after = until
    }
  }
}

export const positionIn = ({ column }: InOrder['order'], row: StoredEntity): ValuePosition => ({
  value: row[column],
  id: row.id,
})

/** The condition with the fewest entries; undefined if all have more than can be sorted. One statement for all. */
async function rarest(db: Db, narrowings: Narrowing[], limits: ScanLimits): Promise<Narrowing | undefined> {
  const mostOf = ({ inMemory }: Narrowing) => (inMemory ? limits.sorted_in_memory : limits.sorted)
  const counts = narrowings.map(
    (one, i) =>
      sql`(select count(*) from (select 1 as one from (${one.entries}) as entries limit ${mostOf(one) + 1}) as counted) as ${sql.ref(`count_${i}`)}`,
  )
  const { rows } = await sql<Record<string, number>>`select ${sql.join(counts)}`.execute(db)
  const few = narrowings
    .map((one, i) => ({ one, count: Number(rows[0]?.[`count_${i}`]) }))
    .filter(({ one, count }) => count <= mostOf(one))
  return few.sort((a, b) => a.count - b.count)[0]?.one
}
