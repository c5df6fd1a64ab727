import { type SqlBool, sql } from 'kysely'
import type { Context } from '../../context.ts'
import { findFields } from '../../custom-fields/custom-fields.ts'
import type { Db } from '../../db/database.ts'
import { isOutage } from '../../db/failures.ts'
import { invalid, Refusal } from '../../errors.ts'
import { parseQuery, partsOf, UNREADABLE } from '../../http/queries/bracket-query.ts'
import { conditionsOf, readRecordFilter } from '../lists/conditions.ts'
import { unselective } from '../lists/list-parameters.ts'
import type { RecordFilter } from '../lists/record-list.ts'
import type { Access } from '../records/access.ts'
import {
  computedSegments,
  type Differences,
  findSegment,
  lockSegment,
  type SegmentId,
  selectDifferences,
  writeDifferences,
} from './segment-queries.ts'

/** The filter of a segment as it is stored: the query of a list of customers without its question mark. */
export const writtenFilter = (filter: string): string => filter.replace(/^\?/, '')

/** Throws Refusal('invalid') if the text is not a filter, or would select every customer. */
export async function requireFilter(db: Db, account_id: number, filter: string): Promise<void> {
  const read = await readFilter(db, account_id, filter)
  const query = parseQuery(filter)
  const [unknown] = query === UNREADABLE ? [] : unselective('customers', { filter: query.filter ?? {} })
  if (unknown !== undefined)
    throw invalid(
      'filter',
      'NotSupportedChoice',
      `The list of customers has no parameter "${unknown.slice(0, 255)}".`,
    )
  const isEmpty = read !== null && read.words.length === 0 && Object.values(read.filters).every(isNone)
  if (isEmpty)
    throw invalid('filter', 'NotBlank', 'A filter should name at least one condition on customers.')
}

const isNone = (parts: unknown[]): boolean => parts.length === 0

async function readFilter(db: Db, account_id: number, filter: string): Promise<RecordFilter | null> {
  const query = parseQuery(filter)
  if (query === UNREADABLE) throw invalid('filter', 'InvalidFormat', 'This value is not a valid query.')
  // Like the query of an address: stored texts never contain NUL.
  if (filter.includes('%00'))
    throw invalid('filter', 'InvalidFormat', 'The filter should not contain the character NUL.')
  if (partsOf(query.filter).integration !== undefined)
    throw invalid('filter', 'NotSupportedChoice', 'The filter of a segment cannot name integrations.')
  // A segment cannot depend on another one, which can be computed later.
  const fields = await findFields(db, account_id, 'customers')
  const read = await readRecordFilter(db, account_id, 'customers', { ...query, integrations: null }, fields)
  if (read && read.filters.segments.length > 0)
    throw invalid('filter', 'NotSupportedChoice', 'The filter of a segment cannot name segments.')
  return read
}

/** Differences that are read at once, and those that a transaction writes. */
const READ = 10_000
const WRITTEN = 1_000

/** Computes up to 10,000 members of a segment that was just stored. The periodic task does the rest, also after an error. */
export const refreshAtOnce = (ctx: Context, segment: SegmentId): Promise<void> => tryRefresh(ctx, segment, 1)

/** Computes the members of all segments that have or had a filter again; a periodic task. A segment that fails does not stop it. */
export async function refreshSegments(ctx: Context): Promise<void> {
  for (const segment of await computedSegments(ctx.db))
    await tryRefresh(ctx, segment, Number.POSITIVE_INFINITY)
}

function tryRefresh(ctx: Context, segment: SegmentId, rounds: number): Promise<void> {
  return refreshMembers(ctx, segment, rounds).catch((error: unknown) => {
    if (isOutage(error)) throw error
    // The filter names a field that was deleted. The members stay as they are.
    if (error instanceof Refusal) return
    ctx.log.error({ err: error, segment: segment.id }, 'the members of a segment could not be computed')
  })
}

/** Brings the computed members of a segment up to date, in small transactions. They do not depend on the rights of a reader. */
async function refreshMembers(ctx: Context, named: SegmentId, rounds: number): Promise<void> {
  const { db } = ctx
  const segment = await findSegment(db, named)
  if (!segment) return
  const { filter } = segment
  // Without a filter, nobody is chosen by it.
  const read = filter === null ? null : await readFilter(db, named.account_id, filter)
  const anybody = { actor: { account_id: named.account_id } } as Access
  const conditions = read
    ? conditionsOf({ db, access: anybody, type: 'customers', in_trash: false, rights: [] }, read)
    : [sql<SqlBool>`1 = 0`]
  for (let round = 0; round < rounds; round++) {
    const differences = await selectDifferences(db, named, conditions, READ)
    // Its filter may have changed meanwhile, and it may have been deleted.
    for (const part of portionsOf(differences)) if (!(await writeMembers(ctx, named, filter, part))) return
    if (differences.gone.length < READ && differences.missing.length < READ) return
  }
}

function portionsOf({ gone, missing }: Differences): Differences[] {
  const count = Math.ceil(Math.max(gone.length, missing.length) / WRITTEN)
  const part = (ids: number[], i: number) => ids.slice(i * WRITTEN, (i + 1) * WRITTEN)
  return Array.from({ length: count }, (_, i) => ({ gone: part(gone, i), missing: part(missing, i) }))
}

/** Returns false, and writes nothing, if the segment has another filter now. */
function writeMembers(
  ctx: Context,
  named: SegmentId,
  filter: string | null,
  part: Differences,
): Promise<boolean> {
  return ctx.db.transaction().execute(async (tx) => {
    const segment = await lockSegment(tx, named)
    if (segment?.filter !== filter) return false
    await writeDifferences(tx, named, part)
    return true
  })
}
