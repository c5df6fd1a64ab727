import { type Expression, type SqlBool, sql } from 'kysely'
import type { FieldSet } from '../custom-fields/custom-fields.ts'
import { readInBackground } from '../db/background-reads.ts'
import type { Db } from '../db/database.ts'
import type { ValuePosition } from '../http/paging.ts'
import type { Access } from './access.ts'
import { hasUnindexed, otherConditions, type Within } from './conditions.ts'
import type { EntityType } from './entity-types.ts'
import { type CountedNarrowing, countEntries } from './narrowing-counts.ts'
import { narrowingsOf } from './narrowings.ts'
import { type InOrder, type Part, pageQuery } from './page-query.ts'
import type { StoredEntity } from './queries.ts'
import { type Checks, type List, readSorted, readWindows, scanInBackground } from './row-checks.ts'
import { type ScanLimits, scanLimits } from './scan-limits.ts'

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
  const sorted = rare && checksBeside(rare, counted, others, limits)
  const first = counted.find(({ narrowing }) => narrowing === served)
  const scan = {
    checks: checksBeside(first, counted, others, limits),
    range: [...ofList(within), ...(served ? [served.byIndex] : [])],
    windows: sorted ? limits.windows : Number.POSITIVE_INFINITY,
  }
  const bySets = checksBeside(first, counted, others, { listed: Number.POSITIVE_INFINITY })
  const isFew = rare && rare.count <= limits.sorted
  return async (part, at) => {
    if (at.offset > 0) return inBackground(part, at)
    return (
      (isFew ? null : await readWindows(list, scan, part, at)) ??
      (sorted ? await readSorted(list, sorted, part, at, { inBackground: !isFew }) : null) ??
      scanInBackground(list, bySets, part, at)
    )
  }
}

/** The conditions on rows that a first one finds, or all rows of the kind if there is none. */
function checksBeside(
  first: CountedNarrowing | undefined,
  counted: readonly CountedNarrowing[],
  others: readonly Expression<SqlBool>[],
  { listed }: Pick<ScanLimits, 'listed'>,
): Checks {
  const rest = counted.filter((one) => one !== first)
  const isCompared = ({ narrowing, count }: CountedNarrowing) =>
    narrowing.byRow === null && narrowing.inMemory !== undefined && count > listed
  return {
    conditions: [
      ...others,
      ...(first ? [first.narrowing.byIndex] : []),
      ...rest
        .filter((one) => !isCompared(one))
        .map(({ narrowing }) => narrowing.byRow ?? narrowing.bySet ?? narrowing.byIndex),
    ],
    inMemory: rest.filter(isCompared).flatMap(({ narrowing }) => narrowing.inMemory ?? []),
  }
}

/** The elements of a list have indexes of their own. */
const ofList = ({ catalog_id }: Within): Expression<SqlBool>[] =>
  catalog_id === undefined ? [] : [sql<SqlBool>`entities.catalog_id = ${catalog_id}`]
