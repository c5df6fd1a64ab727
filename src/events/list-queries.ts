import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { encodeTime } from 'ulid'
import type { Db } from '../db/database.ts'
import { isOneOf, mergedRanges, testsIndexFirst } from '../db/dialect.ts'
import { prepared } from '../db/prepared.ts'
import type { EventRow } from '../db/tables.ts'
import { eventTypes } from './event-types.ts'
import type { EventFilter } from './filters.ts'
import {
  all,
  type Card,
  type Condition,
  column,
  equals,
  type IndexRange,
  isAmong,
  ofCard,
  ofEvents,
  ofSubjects,
  type Part,
  type Subject,
} from './scans/ranges.ts'

/**
 * Every query scans the log in the order of ids, from a position. Each filter has an index in that order. One filter
 * selects the index. If it has several values, each value is one range, and the ranges are merged during the scan:
 * given all values at once, a planner scans the whole log for values without events, or sorts all events of the others.
 * The other filters are checked row by row. So a page costs the same wherever it begins.
 */
export type Direction = 'older' | 'newer'

/** The part of the log to scan, and the position: rows after `from` in the direction. */
export interface Scan {
  account_id: number
  filter: EventFilter
  direction: Direction
  from: string | null
  /** The last row of a scan towards newer rows. */
  until?: string
  /** The filter that selects the index, by its number; otherwise the one that comes first. */
  leading?: number
  /** Only the filter that selects the index applies; the others are checked by `restOf`. */
  isLoose?: boolean
  /** The records of a reader who can see few: ids by kind, null for a whole kind. They then select the index. */
  subjects?: Subject[]
  /** The records whose card to read; several after a merge. They then select the index. */
  card?: Card
}

export interface Slice {
  limit: number
  offset?: number
}

/** The columns that an answer contains. */
const shown = [
  'id',
  'type',
  'entity_type',
  'entity_id',
  'created_by',
  'created_by_integration',
  'created_at',
  'value_after',
  'value_before',
  'field_name',
  'talk_contact_id',
] as const
export type ShownEvent = Pick<EventRow, (typeof shown)[number]>
/** An event with the request that caused it. */
export type CausedEvent = ShownEvent & Pick<EventRow, 'request_id'>

/** The columns of a row. The id comes from the scanned table, so that the planner knows the order of the rows. */
const columns = (id: RawBuilder<unknown>, others: Columns = shownColumns) => sql`${id} as id, ${others}`
type Columns = RawBuilder<unknown>
const listed = (names: readonly (keyof EventRow)[]): Columns =>
  sql.raw(
    names
      .filter((name) => name !== 'id')
      .map((name) => `events.${name}`)
      .join(', '),
  )
const shownColumns = listed(shown)
/** The columns of conditions: the numbers of a row, without its values. */
const testedColumns = listed([
  'type',
  'entity_type',
  'entity_id',
  'created_by',
  'created_by_integration',
  'created_at',
  'card_id',
])
const shownAndTestedColumns = listed([...shown, 'card_id'])

type Rows = RawBuilder<ShownEvent>

/** The next rows of a scan. */
export function sliceOf(db: Db, scan: Scan, slice: Slice, others = shownColumns): Rows {
  const { ranges, residual } = boundedRanges(db, scan)
  const [range] = ranges
  if (ranges.length !== 1 || !range || (residual.length > 0 && testsIndexFirst(db)))
    return ofPage(scan, mergedIds(db, scan, ranges, slice), others)
  const { limit, offset = 0 } = slice
  return sql`select ${columns(range.id, others)} from ${range.from} where ${all(range.conditions)}
    order by ${range.sorted ?? range.id} ${orderOf(scan)} limit ${limit} offset ${offset}`
}

type Ids = RawBuilder<Pick<ShownEvent, 'id'>>

/** The ids of the same rows. An index has them, so rows that are passed by are not read. */
export const idsOf = (db: Db, scan: Scan, slice: Slice): Ids =>
  sql`${mergedIds(db, scan, boundedRanges(db, scan).ranges, slice)}`

function mergedIds(db: Db, scan: Scan, ranges: IndexRange[], { limit, offset = 0 }: Slice) {
  const ids = ranges.map(
    ({ from, id, sorted, conditions }) =>
      sql`select ${sorted ?? id} as id from ${from} where ${all(conditions)}`,
  )
  return mergedRanges(db, ids, sql`id ${orderOf(scan)}`, { limit, offset })
}

/**
 * Of the next `window` rows of a scan, the first `limit` rows that meet a condition on `events`. An embedded database does not
 * read the values of the others. PostgreSQL finds them beside the numbers, so it needs no second look-up.
 */
export function visibleIn(
  db: Db,
  scan: Scan,
  visible: Condition,
  window: number,
  limit: number,
  tested = testedColumns,
): Rows {
  const isPage = testsIndexFirst(db)
  const found = sliceOf(db, scan, { limit: window }, isPage ? tested : shownAndTestedColumns)
  const rows = (names: RawBuilder<unknown>): Rows =>
    sql`select ${names} from (${found}) as events
      where ${visible} order by events.id ${orderOf(scan)} limit ${limit}`
  const id = column('id')
  return isPage ? ofPage(scan, rows(id)) : rows(columns(id))
}

const orderOf = ({ direction }: Pick<Scan, 'direction'>) => sql.raw(direction === 'older' ? 'desc' : 'asc')

/** The rows of a page of ids. */
export const ofPage = (
  scan: Pick<Scan, 'account_id' | 'direction'>,
  ids: RawBuilder<unknown>,
  others?: Columns,
): Rows =>
  sql`select ${columns(sql`page.id`, others)} from (${ids}) as page cross join events
    where events.account_id = ${scan.account_id} and events.id = page.id order by page.id ${orderOf(scan)}`

function boundedRanges(db: Db, scan: Scan): { ranges: IndexRange[]; residual: Condition[] } {
  const { ranges, residual } = rangesOf(db, scan)
  const bounded = ranges.map((range) => ({
    ...range,
    conditions: [...range.conditions, ...residual, ...within(scan, range.id)],
  }))
  return { ranges: bounded, residual }
}

/** The index ranges that a scan consists of, and the conditions that each row is checked against. */
export function rangesOf(db: Db, scan: Scan): { ranges: IndexRange[]; residual: Condition[] } {
  const [first, ...others] = orderedParts(db, scan)
  const residual = scan.isLoose ? [] : others.map(({ condition }) => condition())
  return { ranges: first ? first.ranges() : wholeLog(scan), residual }
}

/** The filters that are checked row by row, with the columns that they need; null if there are none. */
export function restOf(db: Db, scan: Scan): { condition: Condition; columns: Columns } | null {
  const [, ...others] = orderedParts(db, scan)
  if (others.length === 0) return null
  return {
    condition: sql<SqlBool>`${all(others.map(({ condition }) => condition()))}`,
    columns: listed([...new Set<keyof EventRow>(['account_id', ...others.flatMap(({ tested }) => tested)])]),
  }
}

/** Whether all rows of one range of an index meet the filters. */
export function isOneRange(db: Db, scan: Scan): boolean {
  const { ranges, residual } = rangesOf(db, scan)
  return ranges.length === 1 && residual.length === 0
}

/** The whole log as one range, in which every filter is checked row by row. */
export const rangesOfLog = (db: Db, scan: Scan): { ranges: IndexRange[]; residual: Condition[] } => ({
  ranges: wholeLog(scan),
  residual: partsOf(db, scan).map(({ condition }) => condition()),
})

const wholeLog = ({ account_id }: Scan): IndexRange[] => ofEvents(account_id, [[]])

function orderedParts(db: Db, scan: Scan): Part[] {
  const parts = partsOf(db, scan)
  const [leading] = scan.leading ? parts.splice(scan.leading, 1) : []
  return leading ? [leading, ...parts] : parts
}

/** The filters in the order in which their indexes are used, usually the most selective first. */
function partsOf(db: Db, scan: Scan): Part[] {
  const { account_id, filter } = scan
  const { ids, entities, entity_ids } = filter
  const columnPart = (name: keyof EventRow, values: readonly (number | string)[] | null): Part[] =>
    values
      ? [
          {
            ranges: () =>
              ofEvents(
                account_id,
                values.map((value) => [equals(name, value)]),
              ),
            condition: () => isAmong(db, name, values),
            tested: [name],
          },
        ]
      : []
  const isOneOfIds = sql<SqlBool>`${column('id')} in (${sql.join(ids ?? [])})`
  return [
    ...(scan.card ? [ofCard(scan.account_id, scan.card)] : []),
    ...(scan.subjects ? [ofSubjects(db, account_id, scan.subjects)] : []),
    ...(ids
      ? [{ ranges: () => ofEvents(account_id, [[isOneOfIds]]), condition: () => isOneOfIds, tested: [] }]
      : []),
    ...(entities && entity_ids ? [ofEntities(db, account_id, entities, entity_ids)] : []),
    ...filter.values.map((keys) => ({
      ranges: () => keys.map((key, i) => byKey(db, account_id, key, keys.slice(0, i))),
      condition: () => hasKey(db, account_id, keys),
      tested: [],
    })),
    ...columnPart('field_id', filter.field_id === null ? null : [filter.field_id]),
    ...columnPart('created_by_integration', filter.integrations),
    ...columnPart('created_by', filter.created_by),
    ...columnPart('type', filter.types),
    ...(entities && !entity_ids ? [ofEntities(db, account_id, entities, null)] : []),
  ]
}

/**
 * The events of kinds, by events_by_kind, or of records of one kind, by events_by_entity. The messages of a talk about
 * a lead are events of the lead; a filter by the contact of the talk finds them too.
 */
function ofEntities(db: Db, account_id: number, kinds: string[], ids: number[] | null): Part {
  const own = ids ? ofRecords(db, kinds[0] as string, ids) : ofKinds(db, kinds)
  if (!findsTalks(kinds)) return { ...own, ranges: () => ofEvents(account_id, own.ranges) }
  const talks = ids ? messagesOf(db, ids) : messagesOfAll(db)
  return {
    ranges: () => ofEvents(account_id, [...own.ranges, ...talks.ranges]),
    condition: () => sql<SqlBool>`(${own.condition()} or ${talks.condition()})`,
    tested: [...own.tested, ...talks.tested],
  }
}

/** Whether a filter by kinds also finds events of leads: the messages of talks, by their contacts. */
export const findsTalks = (kinds: readonly string[]): boolean =>
  kinds.includes('contact') && !kinds.includes('lead')

type Conditions = Omit<Part, 'ranges'> & { ranges: Condition[][] }

const ofKinds = (db: Db, kinds: string[]): Conditions => ({
  ranges: kinds.map((kind) => [equals('entity_type', kind)]),
  condition: () => isAmong(db, 'entity_type', kinds),
  tested: ['entity_type'],
})

const ofRecords = (db: Db, kind: string, ids: number[]): Conditions => ({
  ranges: ids.map((id) => [equals('entity_type', kind), equals('entity_id', id)]),
  condition: () => sql<SqlBool>`${equals('entity_type', kind)} and ${isAmong(db, 'entity_id', ids)}`,
  tested: ['entity_type', 'entity_id'],
})

const messages = [eventTypes.incoming_chat_message.number, eventTypes.outgoing_chat_message.number]

/** The messages of talks of the contacts about leads, by events_by_card. */
const messagesOf = (db: Db, contacts: number[]): Conditions => ({
  ranges: contacts.map((id) => [
    equals('card_id', id),
    equals('talk_contact_id', id),
    isAmong(db, 'type', messages),
  ]),
  condition: () =>
    sql<SqlBool>`${isAmong(db, 'type', messages)} and ${isAmong(db, 'talk_contact_id', contacts)}`,
  tested: ['type', 'talk_contact_id'],
})

/** The messages of all talks about leads, by events_by_talk. */
function messagesOfAll(db: Db): Conditions {
  const ofTalk = sql<SqlBool>`${column('talk_contact_id')} is not null`
  return {
    ranges: messages.map((type) => [equals('type', type), ofTalk]),
    condition: () => sql<SqlBool>`${isAmong(db, 'type', messages)} and ${ofTalk}`,
    tested: ['type', 'talk_contact_id'],
  }
}

/** The events with a value. An event with several of the values comes once, for the first of its keys. */
function byKey(db: Db, account_id: number, key: string, before: string[]): IndexRange {
  const found = sql`found.account_id = ${account_id} and found.key = ${key}`
  const once = before.length > 0 ? [sql<SqlBool>`not ${hasKey(db, account_id, before)}`] : []
  return {
    // The join order is fixed: scan the keys, then look up each event.
    from: sql`event_keys as found cross join events`,
    id: sql`found.event_id`,
    conditions: [
      sql<SqlBool>`${found} and events.account_id = ${account_id} and events.id = found.event_id`,
      ...once,
    ],
  }
}

const hasKey = (db: Db, account_id: number, keys: string[]): Condition =>
  sql<SqlBool>`exists (select 1 from event_keys as other where other.account_id = ${account_id}
    and ${isOneOf(db, sql.ref('other.key'), keys)} and other.event_id = events.id)`

/** The position and the time range. An id begins with its time. */
function within({ from, until, direction, filter }: Scan, id: RawBuilder<unknown>): Condition[] {
  const { from: first, to: last } = filter.created_at
  const beyond = sql.raw(direction === 'older' ? '<' : '>')
  return [
    ...(from === null ? [] : [sql<SqlBool>`${id} ${beyond} ${from}`]),
    ...(until === undefined ? [] : [sql<SqlBool>`${id} <= ${until}`]),
    ...(first === null ? [] : [sql<SqlBool>`${id} >= ${startOf(first)}`]),
    ...(last === null ? [] : [sql<SqlBool>`${id} < ${startOf(last + 1)}`]),
  ]
}

/** The latest moment that an id can encode, in milliseconds. */
const LAST_MOMENT = 2 ** 48 - 1

/** The lower bound of the ids from a second on. */
const startOf = (second: number): string => idAt(second * 1000)

/** The first ten characters of the ids of a moment, in Unix milliseconds. */
export function idAt(moment: number): string {
  return encodeTime(Math.min(Math.max(Math.floor(moment), 0), LAST_MOMENT), 10).toLowerCase()
}

/** One event with the request that caused it, by the primary key. */
export const findEvent = prepared((db, { account_id, id }: { account_id: number; id: string }) =>
  db
    .selectFrom('events')
    .select([...shown, 'request_id'])
    .where('account_id', '=', account_id)
    .where('id', '=', id),
)

/** The rows before a position, without a filter: the most frequent query. */
export const eventsBefore = prepared(
  (db, { account_id, from, limit }: { account_id: number; from: string; limit: number }) =>
    db
      .selectFrom('events')
      .select(shown)
      .where('account_id', '=', account_id)
      .where('id', '<', from)
      .orderBy('id', 'desc')
      .limit(limit),
)

/** The start of a scan from the newest row: greater than every id. */
export const NEWEST = '~'

/** The id of the account's newest event, or of the newest event before an id. */
export const newestBefore = (db: Db, account_id: number, bound: string = NEWEST): Promise<{ id: string }[]> =>
  eventsBefore(db, { account_id, from: bound, limit: 1 })

/** Whether an event meets a condition on `events`. */
export async function isVisible(
  db: Db,
  account_id: number,
  id: string,
  visible: Condition,
): Promise<boolean> {
  const row = equals('id', id)
  const { rows } = await sql`select 1 from events
    where ${equals('account_id', account_id)} and ${row} and ${visible}`.execute(db)
  return rows.length > 0
}

/**
 * The scan by the index of the first of several filters that fewer than `few` rows meet, if there is one: `leading` is its
 * number. The planner of PostgreSQL knows such filters from its statistics, and the events of a list of ids are few already.
 */
export async function bySelectiveFilter(db: Db, scan: Scan, few: number): Promise<Scan> {
  const count = testsIndexFirst(db) && !scan.filter.ids ? partsOf(db, scan).length : 1
  for (let leading = 0; count > 1 && leading < count; leading++) {
    const candidate = { ...scan, leading }
    if ((await endOfSlice(db, { ...candidate, isLoose: true }, few)) === undefined) return candidate
  }
  return scan
}

/** The last of the next `count` rows of a scan; undefined if there are fewer. */
export async function endOfSlice(db: Db, scan: Scan, count: number): Promise<string | undefined> {
  const { rows } = await idsOf(db, scan, { limit: 1, offset: count - 1 }).execute(db)
  return rows[0]?.id
}
