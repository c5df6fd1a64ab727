import { type Expression, type SqlBool, sql } from 'kysely'
import type { FieldSet } from '../custom-fields/custom-fields.ts'
import { readInBackground } from '../db/background-reads.ts'
import type { Db } from '../db/database.ts'
import { createTurns } from '../fair-turns.ts'
import type { ValuePosition } from '../http/paging.ts'
import type { Access } from './access.ts'
import { otherConditions, type Within } from './conditions.ts'
import type { EntityType } from './entity-types.ts'
import { type Narrowing, narrowingsOf } from './narrowings.ts'
import {
  endOfWindow,
  type InOrder,
  type PageConditions,
  type Part,
  pageQuery,
  pageWith,
} from './page-query.ts'
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

/** More skipped rows take longer than a millisecond. */
const MANY_SKIPPED = 1_000

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
  const byIndexes = (part: Part, at: At) => pageQuery(db, access, type, filter, { ...within, ...at }, part)
  // Sorts all records of the conditions, or skips the rows of earlier pages.
  const inBackground: ReadRows = (part, at) => readInBackground(db, account_id, byIndexes(part, at))
  const narrowings = narrowingsOf(db, account_id, type, filter)
  const served = narrowings.find(({ orders }) => orders.includes(filter.order.column))
  const others = narrowings.filter((one) => one !== served)
  if (others.length === 0)
    return (part, at) => (at.offset > MANY_SKIPPED ? inBackground(part, at) : byIndexes(part, at).execute())

  const rare = await rarest(db, others, limits)
  const first = rare ?? served
  const rest = narrowings.filter((one) => one !== first)
  const conditions = [
    ...otherConditions(db, access, type, filter, within),
    ...(first ? [first.byIndex] : []),
    ...rest.flatMap(({ byRow, inMemory, byIndex }) => byRow ?? (inMemory ? [] : byIndex)),
  ]
  const list = { db, account_id, type, order: filter.order, within, limits }
  const compared = new Comparison(
    list,
    fields,
    { conditions, isSorted: rare !== undefined },
    rest.flatMap(({ byRow, inMemory }) => (byRow === null && inMemory ? [inMemory] : [])),
  )
  return async (part, at) => {
    if (at.offset > 0) return inBackground(part, at)
    const rows = rare
      ? await compared.read(part, at, null)
      : await readWindows(list, compared, served ? [served.byIndex] : [], part, at)
    return rows.length < at.limit && compared.isTooRare ? inBackground(part, at) : rows
  }
}

interface List {
  db: Db
  account_id: number
  type: EntityType
  order: InOrder['order']
  within: Within
  limits: ScanLimits
}

/** Scans the list in its order, a window at a time, and yields to other work in between. */
async function readWindows(
  { db, account_id, type, order, limits }: List,
  compared: Comparison,
  scanned: Expression<SqlBool>[],
  part: Part,
  at: At,
): Promise<StoredEntity[]> {
  const rows: StoredEntity[] = []
  const nextTurn = createTurns()
  for (let after = at.after; ; await nextTurn()) {
    const window = { after, size: limits.window }
    const until = await endOfWindow(db, account_id, type, scanned, order, window, part)
    rows.push(...(await compared.read(part, { ...at, after, limit: at.limit - rows.length }, until ?? null)))
    if (rows.length >= at.limit || compared.isTooRare || !until) return rows
    after = until
  }
}

/** Reads rows that fulfil the conditions, and compares them with the checks that need the whole row. */
class Comparison {
  readonly #list: List
  readonly #fields: FieldSet
  readonly #found: PageConditions
  readonly #checks: NonNullable<Narrowing['inMemory']>[]
  #compared = 0

  constructor(
    list: List,
    fields: FieldSet,
    found: PageConditions,
    checks: NonNullable<Narrowing['inMemory']>[],
  ) {
    this.#list = list
    this.#fields = fields
    this.#found = found
    this.#checks = checks
  }

  /** Whether so many rows were compared that the records of the conditions should be sorted instead. */
  get isTooRare(): boolean {
    return this.#compared > this.#list.limits.compared_at_most
  }

  /** The rows up to a position, at most `limit`. */
  async read(part: Part, { after, limit }: At, until: ValuePosition | null): Promise<StoredEntity[]> {
    const { order, limits } = this.#list
    if (this.#checks.length === 0) return this.#stored(part, after, until, limit)
    const rows: StoredEntity[] = []
    const nextTurn = createTurns()
    for (let from = after; ; await nextTurn()) {
      const some = await this.#stored(part, from, until, limits.compared)
      rows.push(...some.filter((row) => this.#checks.every((isMatch) => isMatch(row, this.#fields))))
      this.#compared += some.length
      const last = some.at(-1)
      const isEnd = some.length < limits.compared || !last
      if (rows.length >= limit || isEnd || this.isTooRare) return rows.slice(0, limit)
      from = positionIn(order, last)
    }
  }

  #stored(part: Part, after: ValuePosition | null, until: ValuePosition | null, limit: number) {
    const { db, account_id, type, order, within } = this.#list
    const walk = { ...within, after, until, limit, offset: 0 }
    return pageWith(db, account_id, type, this.#found, order, walk, part).execute()
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
