import { setImmediate } from 'node:timers/promises'
import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import { type Actor, cachedBriefly } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import { readInBackground } from '../db/background-reads.ts'
import type { Db } from '../db/database.ts'
import { testsIndexFirst } from '../db/dialect.ts'
import { compilable } from '../db/prepared.ts'
import { Refusal } from '../errors.ts'
import { type EventFilter, isNarrow } from './filters.ts'
import {
  bySelectiveFilter,
  type CausedEvent,
  endOfSlice,
  eventsBefore,
  findEvent,
  findsTalks,
  idsOf,
  isOneRange,
  isVisible,
  NEWEST,
  restOf,
  type Scan,
  type ShownEvent,
  type Slice,
  sliceOf,
  visibleIn,
} from './list-queries.ts'
import { eventsOfRecords, isOfRecords, visibleOfRecords } from './queries.ts'
import { ofSubjects, type Subject } from './scans/ranges.ts'
import type { Subjects, Visibility } from './subjects.ts'

/**
 * Reads the log with the rights of a person. Hidden events are left out, and every page but the last is full.
 *
 * An event does not store who can see it, because that changes. For a person with limited rights, the log is scanned in
 * windows, and the record of each row is looked up. That is fast for people who can see a part of the log, but for a
 * person who sees almost nothing it would scan the whole log. So the visible records are queried first, and if they are
 * few, only their events are read. A window is short because SQLite runs nothing else meanwhile.
 */
const FIRST_WINDOW = 4_000
const LAST_WINDOW = 20_000
/** Numbers of rows that decide how a page is read. */
interface Bounds {
  /** A filter that fewer rows meet selects the index. */
  few: number
  /**
   * Rows of an index that the event loop reads. If too few of them meet the other filters, the page is read on the thread
   * for long queries: few events, long ago, may meet all filters.
   */
  first: number
  /** So few visible records have few events, which are read by their records. */
  tiny: number
  /**
   * Of more records, all events would have to be sorted. So many rows of the log, or of the index of the only filter, are
   * read first for each event of a page, and are enough for a person who sees a large part of them.
   */
  sparse: number
}
export const BOUNDS: Bounds = { few: 1_000, first: 10_000, tiny: 100, sparse: 8 }
/** The maximum number of records per kind that count as few. */
const FEW = 1_000

/** The person who reads, and what they can see. */
export interface Reader {
  actor: Actor
  /** Null if they can see everything. */
  visibilities: Visibility[] | null
}

export async function readerOf(db: Db, actor: Actor, subjects: Subjects): Promise<Reader> {
  return { actor, visibilities: await subjects.visibilities(db, actor) }
}

/** The reader of a long request. Their rights are read again while it runs. */
export interface Readers {
  /** The reader with their current rights. Throws if a new request of theirs would be refused. */
  current(): Promise<Reader>
}

export function readersOf(ctx: Context, subjects: Subjects, ask: () => Promise<Actor>): Readers {
  const current = cachedBriefly(ctx, ask)
  return {
    // Every event can change which records the reader can see. For example, a new record is not in an earlier result.
    current: async () => readerOf(ctx.db, await current(), subjects),
  }
}

/** The next events of a scan that the reader can see. */
export async function readSlice(
  db: Db,
  reader: Reader,
  scan: Omit<Scan, 'account_id'>,
  slice: Slice,
  bounds = BOUNDS,
): Promise<ShownEvent[]> {
  const at = { ...scan, account_id: reader.actor.account_id }
  const visibilities = visibilitiesWithin(reader, scan.filter)
  if (visibilities === null) return readAll(db, at, slice, bounds)
  return visibilities.length === 0 ? [] : readVisible(db, visibilities, at, slice, bounds)
}

/** The event, or Refusal('not_found') if the reader cannot see it. */
export async function readEvent(db: Db, { actor, visibilities }: Reader, id: string): Promise<CausedEvent> {
  const { account_id } = actor
  const [event] = await findEvent(db, { account_id, id })
  if (!event) throw notFound()
  const visibility = visibilities?.find(({ entity_type }) => entity_type === event.entity_type)
  const isHidden = visibilities !== null && !visibility
  if (isHidden || (visibility?.limit && !(await isVisible(db, account_id, id, coveredBy([visibility])))))
    throw notFound()
  return event
}

const notFound = () => new Refusal('not_found', 'Entity not found')

/**
 * The limits of the reader on the kinds of a filter: null if there are none, empty if they can see none of the kinds.
 */
function visibilitiesWithin({ visibilities }: Reader, { entities }: EventFilter): Visibility[] | null {
  if (visibilities === null || entities === null) return visibilities
  const kinds = findsTalks(entities) ? [...entities, 'lead'] : entities
  const asked = visibilities.filter(({ entity_type }) => kinds.includes(entity_type))
  const isAll = asked.length === kinds.length && asked.every(({ limit }) => limit === null)
  return isAll ? null : asked
}

/** Whether a scan is that of the list without a filter, whose statements are prepared. */
const isPlain = ({ filter, direction }: Scan): boolean => !isNarrow(filter) && direction === 'older'

async function readAll(db: Db, scan: Scan, slice: Slice, { few, first }: Bounds): Promise<ShownEvent[]> {
  if (isPlain(scan) && !slice.offset)
    return eventsBefore(db, { account_id: scan.account_id, from: scan.from ?? NEWEST, limit: slice.limit })
  const by = await bySelectiveFilter(db, scan, few)
  const rest = testsIndexFirst(db) && by.leading === undefined ? restOf(db, scan) : null
  if (!rest) return (await sliceOf(db, by, slice).execute(db)).rows
  const { limit, offset = 0 } = slice
  const loose = { ...scan, isLoose: true }
  const most = offset + limit
  const { rows } = await visibleIn(db, loose, rest.condition, first, most, rest.columns).execute(db)
  if (rows.length === most || (await endOfSlice(db, loose, first)) === undefined) return rows.slice(offset)
  return inBackground(db, scan, sliceOf(db, scan, slice))
}

const inBackground = <R>(db: Db, { account_id }: Scan, query: RawBuilder<R>): Promise<R[]> =>
  readInBackground(db, account_id, compilable(db, query))

/** The scan and the condition for a reader who does not read by page; null if they can see nothing. */
export async function visibleWithin(
  { actor, visibilities }: Reader,
  filter: EventFilter,
): Promise<{ scan: Scan; visible: Expression<SqlBool> | null } | null> {
  const scan: Scan = { account_id: actor.account_id, filter, direction: 'older', from: null }
  const own = visibilitiesWithin({ actor, visibilities }, filter)
  if (own === null) return { scan, visible: null }
  if (own.length === 0) return null
  const subjects = await fewVisible(own, filter)
  return subjects ? { scan: { ...scan, subjects }, visible: null } : { scan, visible: coveredBy(own) }
}

async function readVisible(
  db: Db,
  visibilities: Visibility[],
  scan: Scan,
  { limit, offset = 0 }: Slice,
  bounds: Bounds,
): Promise<ShownEvent[]> {
  const subjects = await fewVisible(visibilities, scan.filter)
  if (subjects) {
    const rows = await readDense(db, scan, subjects, offset + limit, bounds)
    return rows ? rows.slice(offset) : readBySubjects(db, scan, subjects, { limit, offset })
  }
  const visible = coveredBy(visibilities)
  // A window ends after so many rows that meet all filters, which can be far away.
  const by = await bySelectiveFilter(db, scan, bounds.few)
  const isFar = testsIndexFirst(db) && by.leading === undefined && restOf(db, by) !== null
  const read = async <R>(query: RawBuilder<R>): Promise<R[]> =>
    isFar ? inBackground(db, scan, query) : (await query.execute(db)).rows
  const rows: ShownEvent[] = []
  let skip = offset
  let at = by
  for (let window = FIRST_WINDOW; ; window = Math.min(window * 4, LAST_WINDOW)) {
    const found = await read(visibleIn(db, at, visible, window, skip + limit - rows.length))
    rows.push(...found.slice(skip))
    skip = Math.max(0, skip - found.length)
    if (rows.length === limit) return rows
    const [end] = await read(idsOf(db, at, { limit: 1, offset: window - 1 }))
    if (end === undefined) return rows
    at = { ...at, from: end.id }
    await setImmediate()
  }
}

/**
 * The next `count` visible events by a scan of the log, or of the index of the only filter; null if reading them by their records
 * is faster.
 */
async function readDense(
  db: Db,
  scan: Scan,
  subjects: Subject[],
  count: number,
  { tiny, sparse }: Bounds,
): Promise<ShownEvent[] | null> {
  const records = subjects.reduce((sum, { ids }) => sum + (ids?.length ?? Number.POSITIVE_INFINITY), 0)
  const window = count * sparse
  if (records <= tiny || window > FIRST_WINDOW || !isOneRange(db, scan)) return null
  const rows = await readWindow(db, scan, subjects, { window, limit: count })
  const isAll = rows.length === count || (await endOfSlice(db, scan, window)) === undefined
  return isAll ? rows : null
}

/** Of the next `window` rows of a scan, the first `limit` that are about the subjects. */
async function readWindow(
  db: Db,
  scan: Scan,
  subjects: Subject[],
  { window, limit }: { window: number; limit: number },
): Promise<ShownEvent[]> {
  const { account_id, from } = scan
  const records = recordsIn(subjects)
  if (records !== null && isPlain(scan))
    return visibleOfRecords(db, { account_id, records, from: from ?? NEWEST, window, limit })
  const isVisible =
    records === null ? ofSubjects(db, account_id, subjects).condition() : isOfRecords(db, records)
  return (await visibleIn(db, scan, isVisible, window, limit).execute(db)).rows
}

/** The next events of the subjects. */
async function readBySubjects(db: Db, scan: Scan, subjects: Subject[], slice: Slice): Promise<ShownEvent[]> {
  const records = recordsIn(subjects)
  if (records === null || !isPlain(scan))
    return (await sliceOf(db, { ...scan, subjects }, slice).execute(db)).rows
  const { account_id, from } = scan
  const { limit, offset = 0 } = slice
  return eventsOfRecords(db, { account_id, records, from: from ?? NEWEST, limit, offset })
}

/** The records as pairs in JSON (`pairsOf`); null if a whole kind is among them. */
function recordsIn(subjects: Subject[]): string | null {
  const pairs = subjects.map(({ entity_type, ids }) => ids?.map((id) => [entity_type, id]))
  return pairs.includes(undefined) ? null : JSON.stringify(pairs.flat())
}

/** Whether an event is about a record that these visibilities cover: a condition on `events`. */
export function coveredBy(visibilities: Visibility[]): Expression<SqlBool> {
  if (visibilities.length === 0) return sql<SqlBool>`1 = 0`
  const kinds = visibilities.map(({ entity_type, limit }) => {
    const isOfKind = sql<SqlBool>`events.entity_type = ${entity_type}`
    return limit ? sql<SqlBool>`(${isOfKind} and ${limit.covers('events.entity_id')})` : isOfKind
  })
  return sql<SqlBool>`(${sql.join(kinds, sql` or `)})`
}

/** Filters that the index of kinds answers just as well. */
const OF_KINDS = { entities: null, created_at: { from: null, to: null } }

/** The reader's visible records, if each limited kind has few of them. */
async function fewVisible(visibilities: Visibility[], filter: EventFilter): Promise<Subject[] | null> {
  // There can be many events of a kind without a limit. Then the index of a filter is better.
  const isMixed = visibilities.some(({ limit }) => limit === null)
  const isOfKinds = !filter.entities || !findsTalks(filter.entities)
  if (isMixed && (!isOfKinds || isNarrow({ ...filter, ...OF_KINDS }))) return null
  const subjects: Subject[] = []
  for (const { entity_type, limit } of visibilities) {
    const ids = limit ? await limit.few(FEW) : null
    if (limit && !ids) return null
    subjects.push({ entity_type, ids })
  }
  return subjects
}
