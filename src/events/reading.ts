import { setImmediate } from 'node:timers/promises'
import { type Expression, type SqlBool, sql } from 'kysely'
import { type Actor, cachedBriefly } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import type { Db } from '../db/database.ts'
import { Refusal } from '../errors.ts'
import { type EventFilter, isNarrow } from './filters.ts'
import {
  type CausedEvent,
  endOfSlice,
  eventsBefore,
  findEvent,
  isVisible,
  NEWEST,
  type Scan,
  type ShownEvent,
  type Slice,
  sliceOf,
  visibleIn,
} from './list-queries.ts'
import type { Subjects, Visibility } from './subjects.ts'

/**
 * Reading the log as somebody: what he may not see is not there, and a page is full while there is more.
 *
 * Nothing in an event says whose it is, since that changes. So the log of a person with limited rights is walked in
 * windows, and each row's record is looked up. That is fast for who sees some part of it. For who sees next to nothing
 * it would be a scan through everything: so first it is asked which things he sees, and if they are few, only their events
 * are read. A window is short, because on the embedded database nothing else runs meanwhile.
 */
const FIRST_WINDOW = 4_000
const LAST_WINDOW = 20_000
/** How many things of one kind are few. */
const FEW = 1_000

/** Who reads, and what of. */
export interface Reader {
  actor: Actor
  /** Null when nothing is hidden from him. */
  visibilities: Visibility[] | null
}

export async function readerOf(db: Db, actor: Actor, subjects: Subjects): Promise<Reader> {
  return { actor, visibilities: await subjects.visibilities(db, actor) }
}

/** Who reads for longer than a moment: what he may see is asked anew while he does. */
export interface Readers {
  /** Throws as a new request of his would be refused. */
  current(): Promise<Reader>
}

export function readersOf(ctx: Context, subjects: Subjects, ask: () => Promise<Actor>): Readers {
  const current = cachedBriefly(ctx, ask)
  return {
    // Each event can change the records that the reader may see: a new record is not subjects those found before.
    current: async () => readerOf(ctx.db, await current(), subjects),
  }
}

/** The next events of a scan that the reader may see. */
export async function readSlice(
  db: Db,
  reader: Reader,
  scan: Omit<Scan, 'account_id'>,
  slice: Slice,
): Promise<ShownEvent[]> {
  const at = { ...scan, account_id: reader.actor.account_id }
  const visibilities = visibilitiesWithin(reader, scan.filter)
  if (visibilities === null) return readAll(db, at, slice)
  return visibilities.length === 0 ? [] : readVisible(db, visibilities, at, slice)
}

/** The event when the reader may see it, else Refusal('not_found'). */
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

/** What of a filter's kinds is limited for the reader; null when nothing is, and empty when he sees none of them. */
function visibilitiesWithin({ visibilities }: Reader, { entities }: EventFilter): Visibility[] | null {
  if (visibilities === null || entities === null) return visibilities
  const asked = visibilities.filter(({ entity_type }) => entities.includes(entity_type))
  const isAll = asked.length === entities.length && asked.every(({ limit }) => limit === null)
  return isAll ? null : asked
}

async function readAll(db: Db, scan: Scan, slice: Slice): Promise<ShownEvent[]> {
  const isPlain = !isNarrow(scan.filter) && scan.direction === 'older' && !slice.offset
  if (isPlain)
    return eventsBefore(db, { account_id: scan.account_id, from: scan.from ?? NEWEST, limit: slice.limit })
  const { rows } = await sliceOf(db, scan, slice).execute(db)
  return rows
}

/** The same for who does not read page by page: what of the log he scans, and what he sees of that; null when nothing. */
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
): Promise<ShownEvent[]> {
  const subjects = await fewVisible(visibilities, scan.filter)
  if (subjects) return (await sliceOf(db, { ...scan, subjects }, { limit, offset }).execute(db)).rows
  const visible = coveredBy(visibilities)
  const rows: ShownEvent[] = []
  let skip = offset
  let at = scan
  for (let window = FIRST_WINDOW; ; window = Math.min(window * 4, LAST_WINDOW)) {
    const { rows: found } = await visibleIn(db, at, visible, window, skip + limit - rows.length).execute(db)
    rows.push(...found.slice(skip))
    skip = Math.max(0, skip - found.length)
    if (rows.length === limit) return rows
    const end = await endOfSlice(db, at, window)
    if (end === undefined) return rows
    at = { ...at, from: end }
    await setImmediate()
  }
}

/** Whether an event is about something that these visibilities cover: a condition on `events`. */
export function coveredBy(visibilities: Visibility[]): Expression<SqlBool> {
  if (visibilities.length === 0) return sql<SqlBool>`1 = 0`
  const kinds = visibilities.map(({ entity_type, limit }) => {
    const isOfKind = sql<SqlBool>`events.entity_type = ${entity_type}`
    return limit ? sql<SqlBool>`(${isOfKind} and ${limit.covers('events.entity_id')})` : isOfKind
  })
  return sql<SqlBool>`(${sql.join(kinds, sql` or `)})`
}

/** What of a filter the index of kinds is as good for. */
const OF_KINDS = { entities: null, created_at: { from: null, to: null } }

/** All that the reader sees, when it is few of each kind that is limited for him. */
async function fewVisible(
  visibilities: Visibility[],
  filter: EventFilter,
): Promise<NonNullable<Scan['subjects']> | null> {
  // Of a kind that he sees whole there may be much: then a filter is the better index.
  const isMixed = visibilities.some(({ limit }) => limit === null)
  if (isMixed && isNarrow({ ...filter, ...OF_KINDS })) return null
  const subjects: NonNullable<Scan['subjects']> = []
  for (const { entity_type, limit } of visibilities) {
    const ids = limit ? await limit.few(FEW) : null
    if (limit && !ids) return null
    subjects.push({ entity_type, ids })
  }
  return subjects
}
