import { type Expression, type SqlBool, sql } from 'kysely'
import type { FieldSet } from '../../custom-fields/custom-fields.ts'
import { readInBackground } from '../../db/background-reads.ts'
import type { ListedEntity } from '../records/listed-columns.ts'
import { hasUnindexed, otherConditions } from './conditions.ts'
import { countEntries } from './narrowing-counts.ts'
import { narrowingsOf } from './narrowings.ts'
import { type InOrder, pageQuery } from './page-query.ts'
import { type Found, scan, sort, sortAmong, walkAll } from './page-ways.ts'
import { isPlain, plainPage } from './plain-pages.ts'
import type { RecordList } from './record-list.ts'
import type { Wanted } from './row-checks.ts'
import { type ScanLimits, scanLimitsOf } from './scan-limits.ts'

/** More skipped rows take longer than a millisecond. */
const MANY_SKIPPED = 1_000

type Condition = Expression<SqlBool>

/** The rows of one part of the list that match, in its order. */
export type ReadRows = (at: Wanted & { offset: number }) => Promise<ListedEntity[]>

/** Chooses how to find the rows of a page. `fields` are those of the kind, or of the list of elements. */
export async function chooseScan(
  list: RecordList,
  filter: InOrder,
  fields: FieldSet,
  limits: ScanLimits = scanLimitsOf(list.db),
): Promise<ReadRows> {
  const { db, access, type } = list
  const { account_id } = access.actor
  const { order } = filter
  const byIndexes = (at: Parameters<ReadRows>[0]) => pageQuery(list, filter, { order, ...at })
  // Skips the rows of earlier pages.
  const inBackground: ReadRows = (at) => readInBackground(db, account_id, byIndexes(at))
  const narrowings = narrowingsOf(list, filter)
  const served = narrowings.find(({ orders }) => orders.includes(order.column))
  const isByIds = filter.filters.values.some(({ column }) => column === 'id')
  const isServed = narrowings.every((one) => one === served)
  if (isByIds || (isServed && !hasUnindexed(list, filter))) {
    const read: ReadRows = isPlain(list, filter)
      ? (at) => plainPage(list, { order, ...at })
      : (at) => byIndexes(at).execute()
    return (at) => (at.offset > MANY_SKIPPED ? inBackground(at) : read(at))
  }

  const counted = await countEntries(db, narrowings, limits.listed)
  const rare = counted.find(({ narrowing, count }) => narrowing !== served && count <= limits.listed)
  const isFew = rare !== undefined && rare.count <= limits.sorted
  const found: Found = {
    list: { db, account_id, type, fields, order, limits },
    others: otherConditions(list, filter),
    counted,
    served,
    range: [...ofCatalog(list), ...(served ? [served.byIndex] : [])],
  }
  const ways = rare
    ? [...(isFew ? [] : [scan(found, rare)]), sort(found, rare, isFew), sortAmong(found, rare)]
    : [scan(found), walkAll(found)]
  return async (at) => {
    if (at.offset > 0) return inBackground(at)
    for (const way of ways) {
      const rows = await way(at)
      if (rows) return rows
    }
    throw new Error('the last way reads the page in any case')
  }
}

/** The elements of a list have indexes of their own. */
const ofCatalog = ({ catalog_id }: RecordList): Condition[] =>
  catalog_id === undefined ? [] : [sql<SqlBool>`entities.catalog_id = ${catalog_id}`]
