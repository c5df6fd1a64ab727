import { type Expression, type SqlBool, sql } from 'kysely'
import { isOneOf } from '../../db/dialect.ts'
import type { ListedEntity } from '../records/listed-columns.ts'
import { inAll } from './id-sets.ts'
import { walkIds } from './id-walk.ts'
import { type CountedNarrowing, idsOf, setsOf, withLookUps } from './narrowing-counts.ts'
import type { Narrowing } from './narrowings.ts'
import { type Checks, type List, readSorted, readWindows, type Wanted } from './row-checks.ts'
import { scanLimits } from './scan-limits.ts'

type Condition = Expression<SqlBool>

/** A list with conditions, and the counts of their entries. */
export interface Found {
  list: List
  /** The parts of the filter that have an index, fewest entries first. */
  counted: CountedNarrowing[]
  /** The conditions that have none. */
  others: Condition[]
  /** The part whose index has the order of the list. */
  served: Narrowing | undefined
  /** The conditions of the index that has the order of the list. */
  range: Condition[]
}

/** Reads the rows of a page in one way; null if another one is faster. */
type Way = (wanted: Wanted) => Promise<ListedEntity[] | null>

/** Scans the list in its order, about as long as sorting the rarest part takes; without one, to its end. */
export function scan({ list, counted, others, served, range }: Found, rare?: CountedNarrowing): Way {
  const { listed, compared_at_most, ...limits } = list.limits
  const windows = rare ? limits.windows : Number.POSITIVE_INFINITY
  const ids_at_most = rare ? rare.count * limits.walked_for_each : Number.POSITIVE_INFINITY
  return async (wanted) => {
    const rest = beside(await withLookUps(counted), served)
    const inSets = rest.filter((one) => isUnseekable(one) && one.count <= listed)
    const checked = rest.filter((one) => !inSets.includes(one))
    const isWalk = inSets.length > 0
    const first = isWalk ? served?.byRow : served?.byIndex
    const checks = checksOf(first, checked, others, limits.sorted)
    if (!isWalk) return readWindows(list, { checks, range, windows, compared_at_most }, wanted)
    const sets = await setsOf(list.db, list.account_id, inSets)
    return walkIds(list, { sets, checks, range, ids_at_most, compared_at_most }, wanted)
  }
}

/** Sorts the records of the rarest part; null if too many of them must be compared in memory. */
export function sort({ list, counted, others }: Found, rare: CountedNarrowing, isFew: boolean): Way {
  const first = rare.narrowing.byFew ?? rare.narrowing.byIndex
  const checks = checksOf(first, beside(counted, rare.narrowing), others, list.limits.sorted)
  return (wanted) => readSorted(list, checks, wanted, { inBackground: !isFew })
}

/** Sorts the records of the rarest part that are in the sets of the others, too. */
export function sortAmong({ list, counted, others }: Found, rare: CountedNarrowing): Way {
  return async (wanted) => {
    const rest = await withLookUps(beside(counted, rare.narrowing))
    const sets = await setsOf(list.db, list.account_id, rest.filter(isUnseekable))
    const ids = inAll(sets, await idsOf(list.db, list.account_id, rare))
    const conditions = [...others, ...lookUpsOf(rest), isOneOf(list.db, sql.ref('entities.id'), ids)]
    const inBackground = ids.length > list.limits.sorted
    return readSorted(list, { conditions, inMemory: [] }, wanted, { inBackground })
  }
}

/** Scans the list in its order, however long that takes. */
export function walkAll({ list, counted, others, served, range }: Found): Way {
  const most = { ids_at_most: Number.POSITIVE_INFINITY, compared_at_most: Number.POSITIVE_INFINITY }
  return async (wanted) => {
    const rest = await withLookUps(counted)
    const sets = await setsOf(list.db, list.account_id, beside(rest, served).filter(isUnseekable))
    const checks = { conditions: [...others, ...lookUpsOf(rest)], inMemory: [] }
    return walkIds(list, { sets, checks, range, ...most }, wanted)
  }
}

const lookUpsOf = (some: readonly CountedNarrowing[]): Condition[] =>
  some.flatMap(({ narrowing }) => narrowing.byRow ?? [])

/** Whether a part cannot be looked up for a record. */
const isUnseekable = ({ narrowing }: CountedNarrowing): boolean => narrowing.byRow === null

const beside = (counted: readonly CountedNarrowing[], one: Narrowing | undefined): CountedNarrowing[] =>
  counted.filter(({ narrowing }) => narrowing !== one)

/** A first condition, which finds rows, and what is checked of them for the rest of the filter. */
function checksOf(
  first: Condition | null | undefined,
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
