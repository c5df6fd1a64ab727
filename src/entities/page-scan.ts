import { type Expression, type SqlBool, sql } from 'kysely'
import type { FieldSet } from '../custom-fields/custom-fields.ts'
import { readInBackground } from '../db/background-reads.ts'
import type { Db } from '../db/database.ts'
import type { ValuePosition } from '../http/paging.ts'
import type { Access } from './access.ts'
import { hasUnindexed, otherConditions, type Within } from './conditions.ts'
import type { EntityType } from './entity-types.ts'
import type { ListedEntity } from './listed-columns.ts'
import { type CountedNarrowing, countEntries, withLookUps } from './narrowing-counts.ts'
import { type Narrowing, narrowingsOf } from './narrowings.ts'
import { type InOrder, type Part, pageQuery } from './page-query.ts'
import { type Checks, type List, readSorted, readWindows, scanInBackground } from './row-checks.ts'
import { type ScanLimits, scanLimits } from './scan-limits.ts'

/** More skipped rows take longer than a millisecond. */
const MANY_SKIPPED = 1_000

type Condition = Expression<SqlBool>

interface At {
  after: ValuePosition | null
  limit: number
  offset: number
}

/** The rows of one part of the list that match, in its order. */
export type ReadRows = (part: Part, at: At) => Promise<ListedEntity[]>

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
  // Skips the rows of earlier pages.
  const inBackground: ReadRows = (part, at) => readInBackground(db, account_id, byIndexes(part, at))
  const narrowings = narrowingsOf(db, account_id, type, filter, within)
  const served = narrowings.find(({ orders }) => orders.includes(filter.order.column))
  const isByIds = filter.filters.values.some(({ column }) => column === 'id')
  const isServed = narrowings.every((one) => one === served)
  if (isByIds || (isServed && !hasUnindexed(db, access, type, filter, within)))
    return (part, at) => (at.offset > MANY_SKIPPED ? inBackground(part, at) : byIndexes(part, at).execute())

  const counted = await countEntries(db, narrowings, limits.listed)
  const others = otherConditions(db, access, type, filter, within)
  const list: List = { db, account_id, type, fields, order: filter.order, within, limits }
  const rare = counted.find(({ narrowing, count }) => narrowing !== served && count <= limits.listed)
  const isFew = rare && rare.count <= limits.sorted
  const sorted =
    rare &&
    checksOf(
      rare.narrowing.byFew ?? rare.narrowing.byIndex,
      beside(counted, rare.narrowing),
      others,
      limits.listed,
    )
  // A row of a scan is looked up at once; those that are sorted are compared when few are left.
  const scanned = beside(isFew ? counted : await withLookUps(counted), served)
  const scan = {
    checks: checksOf(served?.byIndex, scanned, others, limits.sorted),
    range: [...ofList(within), ...(served ? [served.byIndex] : [])],
    compared_at_most: sorted ? limits.compared_first : limits.compared_at_most,
    windows: sorted ? limits.windows : Number.POSITIVE_INFINITY,
  }
  const bySets = checksOf(served?.byIndex, scanned, others, Number.POSITIVE_INFINITY)
  return async (part, at) => {
    if (at.offset > 0) return inBackground(part, at)
    return (
      (isFew ? null : await readWindows(list, scan, part, at)) ??
      (sorted ? await readSorted(list, sorted, part, at, { inBackground: !isFew }) : null) ??
      scanInBackground(list, bySets, part, at)
    )
  }
}

const beside = (counted: CountedNarrowing[], one: Narrowing | undefined): CountedNarrowing[] =>
  counted.filter(({ narrowing }) => narrowing !== one)

/** A first condition, which finds rows, and what is checked of them for the rest of the filter. */
function checksOf(
  first: Condition | undefined,
  rest: readonly CountedNarrowing[],
  others: readonly Condition[],
  listed: number,
): Checks {
  const isCompared = ({ narrowing, count }: CountedNarrowing) =>
    narrowing.byRow === null && narrowing.inMemory !== undefined && count > listed
  return {
    conditions: [
      ...others,
      ...(first ? [first] : []),
      ...rest
        .filter((one) => !isCompared(one))
        .map(
          ({ narrowing, count }) =>
            narrowing.byRow ??
            narrowing.bySet?.(count <= scanLimits.listed ? scanLimits.listed : null) ??
            narrowing.byIndex,
        ),
    ],
    inMemory: rest.filter(isCompared).flatMap(({ narrowing }) => narrowing.inMemory ?? []),
  }
}

/** The elements of a list have indexes of their own. */
const ofList = ({ catalog_id }: Within): Condition[] =>
  catalog_id === undefined ? [] : [sql<SqlBool>`entities.catalog_id = ${catalog_id}`]
