import { type Expression, type SqlBool, sql } from 'kysely'
import type { FieldSet } from '../../custom-fields/custom-fields.ts'
import { readInBackground } from '../../db/background-reads.ts'
import type { Db } from '../../db/database.ts'
import type { ValuePosition } from '../../http/queries/paging.ts'
import type { Access } from '../records/access.ts'
import type { EntityType } from '../records/entity-types.ts'
import type { ListedEntity } from '../records/listed-columns.ts'
import { hasUnindexed, otherConditions, type Within } from './conditions.ts'
import { countEntries } from './narrowing-counts.ts'
import { narrowingsOf } from './narrowings.ts'
import { type InOrder, type Part, pageQuery } from './page-query.ts'
import { type Found, scan, sort, sortAmong, walkAll } from './page-ways.ts'
import { isPlain, plainPage } from './plain-pages.ts'
import { type ScanLimits, scanLimitsOf } from './scan-limits.ts'

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
  limits: ScanLimits = scanLimitsOf(db),
): Promise<ReadRows> {
  const { account_id } = access.actor
  const byIndexes = (part: Part, at: At) => pageQuery(db, access, type, filter, { ...within, ...at }, part)
  // Skips the rows of earlier pages.
  const inBackground: ReadRows = (part, at) => readInBackground(db, account_id, byIndexes(part, at))
  const narrowings = narrowingsOf(db, account_id, type, filter, within)
  const served = narrowings.find(({ orders }) => orders.includes(filter.order.column))
  const isByIds = filter.filters.values.some(({ column }) => column === 'id')
  const isServed = narrowings.every((one) => one === served)
  if (isByIds || (isServed && !hasUnindexed(db, access, type, filter, within))) {
    const read: ReadRows = isPlain(filter, within)
      ? (part, at) => plainPage(db, account_id, type, filter.order, { ...within, ...at }, part)
      : (part, at) => byIndexes(part, at).execute()
    return (part, at) => (at.offset > MANY_SKIPPED ? inBackground(part, at) : read(part, at))
  }

  const counted = await countEntries(db, narrowings, limits.listed)
  const rare = counted.find(({ narrowing, count }) => narrowing !== served && count <= limits.listed)
  const isFew = rare !== undefined && rare.count <= limits.sorted
  const found: Found = {
    list: { db, account_id, type, fields, order: filter.order, within, limits },
    others: otherConditions(db, access, type, filter, within),
    counted,
    served,
    range: [...ofList(within), ...(served ? [served.byIndex] : [])],
  }
  const ways = rare
    ? [...(isFew ? [] : [scan(found, rare)]), sort(found, rare, isFew), sortAmong(found, rare)]
    : [scan(found), walkAll(found)]
  return async (part, at) => {
    if (at.offset > 0) return inBackground(part, at)
    for (const way of ways) {
      const rows = await way(part, at)
      if (rows) return rows
    }
    throw new Error('the last way reads the page in any case')
  }
}

/** The elements of a list have indexes of their own. */
const ofList = ({ catalog_id }: Within): Condition[] =>
  catalog_id === undefined ? [] : [sql<SqlBool>`entities.catalog_id = ${catalog_id}`]
