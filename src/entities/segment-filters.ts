import type { Context } from '../context.ts'
import { findFields } from '../custom-fields/custom-fields.ts'
import type { Db, Tx } from '../db/database.ts'
import { isOutage } from '../db/failures.ts'
import type { SegmentRow } from '../db/tables.ts'
import { invalid, Refusal } from '../errors.ts'
import { parseQuery, partsOf, UNREADABLE } from '../http/bracket-query.ts'
import type { Access } from './access.ts'
import { conditionsOf, type RecordFilter, readRecordFilter } from './conditions.ts'
import { computeMembers, lockSegment, segmentsWithFilter } from './segment-queries.ts'

/** The filter of a segment as it is stored: the query of a list of customers without its question mark. */
export const writtenFilter = (filter: string): string => filter.replace(/^\?/, '')

/** Throws Refusal('invalid') if the text is not a filter, or would select every customer. */
export async function requireFilter(db: Db, account_id: number, filter: string): Promise<void> {
  const read = await readFilter(db, account_id, filter)
  const isEmpty = read !== null && read.words.length === 0 && Object.values(read.filters).every(isNone)
  if (isEmpty)
    throw invalid('filter', 'NotBlank', 'A filter should name at least one condition on customers.')
}

const isNone = (parts: unknown[]): boolean => parts.length === 0

async function readFilter(db: Db, account_id: number, filter: string): Promise<RecordFilter | null> {
  const query = parseQuery(filter)
  if (query === UNREADABLE) throw invalid('filter', 'InvalidFormat', 'This value is not a valid query.')
  // Like the query of an address: stored texts never contain NUL.
  if (filter.includes('%00')) throw invalid('filter', 'InvalidFormat', 'The filter contains NUL.')
  if (partsOf(query.filter).integration !== undefined)
    throw invalid('filter', 'NotSupportedChoice', 'The filter of a segment cannot name integrations.')
  // A segment cannot depend on another one, which can be computed later.
  const fields = await findFields(db, account_id, 'customers')
  const read = await readRecordFilter(db, account_id, 'customers', { ...query, integrations: null }, fields)
  if (read && read.filters.segments.length > 0)
    throw invalid('filter', 'NotSupportedChoice', 'The filter of a segment cannot name segments.')
  return read
}

/** Computes the members of a segment with a filter; without one, removes computed members. */
export async function refreshMembers(tx: Tx, segment: SegmentRow): Promise<void> {
  const { account_id, filter } = segment
  if (filter === null) return computeMembers(tx, segment, null)
  const read = await readFilter(tx, account_id, filter)
  // Members do not depend on the rights of a reader.
  const anybody = { actor: { account_id } } as Access
  const within = { in_trash: false, rights: [] }
  await computeMembers(tx, segment, read && conditionsOf(tx, anybody, 'customers', read, within))
}

/** Computes the members of all segments with a filter again; a periodic task. A segment that fails does not stop it. */
export async function refreshSegments(ctx: Context): Promise<void> {
  for (const { account_id, id } of await segmentsWithFilter(ctx.db))
    await ctx.db
      .transaction()
      .execute(async (tx) => {
        // Its filter may have changed meanwhile, and it may have been deleted.
        const segment = await lockSegment(tx, account_id, id)
        if (segment?.filter != null) await refreshMembers(tx, segment)
      })
      .catch((error: unknown) => {
        if (isOutage(error)) throw error
        // The filter names a field that was deleted. The members stay as they are.
        if (error instanceof Refusal) return
        ctx.log.error({ err: error, segment: id }, 'the members of a segment could not be computed')
      })
}
