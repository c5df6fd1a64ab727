import { setImmediate } from 'node:timers/promises'
import { type Expression, type SqlBool, sql } from 'kysely'
import type { Context } from '../context.ts'
import type { Db } from '../db/database.ts'
import { isAmong } from '../db/indexes/index-choice.ts'
import { eventText } from './event-text.ts'
import { EVERYTHING } from './filters.ts'
import { endOfSlice, type Scan, type ShownEvent, sliceOf, visibleIn } from './list-queries.ts'
import { nameKinds, partsFor } from './names.ts'
import { coveredBy, type Reader } from './reading.ts'
import type { Card } from './scans/ranges.ts'
import type { Event } from './schemas.ts'
import type { Subjects } from './subjects.ts'

/**
 * The log of one card. Each statement scans one window of the log, and a page takes at most MAX_WINDOWS statements. If
 * few events match, the page ends early and says where the next one begins.
 */
const FIRST_WINDOW = 2_000
const LAST_WINDOW = 20_000
const MAX_WINDOWS = 5

/** Selects the events of a card. */
export interface CardKinds {
  /** Type numbers. */
  types: number[]
  /** Whether to include the events of its tasks, of any type. */
  tasks: boolean
}

/** Null selects everything. */
export interface CardFilter {
  kinds: CardKinds | null
  /** Numbers of the integrations that acted. */
  integrations: readonly number[] | null
}

export interface CardPage {
  events: ShownEvent[]
  /** The id before which the next page begins; null on the last page. */
  next: string | null
}

/** A page of the card's events that the reader can see, newest first, before an id. */
export async function readCard(
  db: Db,
  { actor, visibilities }: Reader,
  card: Card,
  { kinds, integrations }: CardFilter,
  { from, limit }: { from: string | null; limit: number },
): Promise<CardPage> {
  const scan: Scan = { account_id: actor.account_id, filter: EVERYTHING, direction: 'older', from, card }
  const conditions = [
    ...(kinds ? [isOfKind(kinds)] : []),
    ...(integrations ? [isAmong(sql.ref('events.created_by_integration'), integrations)] : []),
    ...(visibilities ? [coveredBy(visibilities)] : []),
  ]
  if (conditions.length > 0)
    return readNarrowed(db, scan, sql<SqlBool>`${sql.join(conditions, sql` and `)}`, limit)
  const { rows } = await sliceOf(db, scan, { limit: limit + 1 }).execute(db)
  return pageOf(rows, limit)
}

const pageOf = (rows: ShownEvent[], limit: number): CardPage => ({
  events: rows.slice(0, limit),
  next: rows.length > limit ? (rows[limit - 1] as ShownEvent).id : null,
})

function isOfKind({ types, tasks }: CardKinds): Expression<SqlBool> {
  const isOfTask = sql<SqlBool>`events.entity_type = 'task'`
  const isOfTypes = types.length > 0 ? sql<SqlBool>`events.type in (${sql.join(types)})` : sql<SqlBool>`1 = 0`
  return tasks
    ? sql<SqlBool>`(${isOfTask} or ${isOfTypes})`
    : sql<SqlBool>`(not ${isOfTask} and ${isOfTypes})`
}

async function readNarrowed(
  db: Db,
  scan: Scan,
  condition: Expression<SqlBool>,
  limit: number,
): Promise<CardPage> {
  const rows: ShownEvent[] = []
  let at = scan
  let window = Math.max(FIRST_WINDOW, limit + 1)
  for (let windows = 0; windows < MAX_WINDOWS; windows++) {
    const { rows: found } = await visibleIn(db, at, condition, window, limit + 1 - rows.length).execute(db)
    rows.push(...found)
    if (rows.length > limit) return pageOf(rows, limit)
    const end = await endOfSlice(db, at, window)
    if (end === undefined) return pageOf(rows, limit)
    at = { ...at, from: end }
    window = Math.min(window * 4, LAST_WINDOW)
    await setImmediate()
  }
  return { events: rows, next: at.from }
}

/**
 * Events as the API returns them, with the names of their records and fields, and on request with the integrations that acted.
 * `base` is the address of the surface.
 */
export async function showEvents(
  ctx: Context,
  account_id: number,
  subjects: Subjects,
  events: readonly ShownEvent[],
  { base, withIntegrations }: { base: string; withIntegrations: boolean },
): Promise<Event[]> {
  const requested = new Set([
    ...nameKinds,
    'field_name' as const,
    ...(withIntegrations ? (['integration'] as const) : []),
  ])
  const parts = await partsFor(ctx, account_id, subjects, events, requested)
  return events.map((event) => JSON.parse(eventText(event, { account_id, base, ...parts })))
}
