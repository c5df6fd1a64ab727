import { setImmediate } from 'node:timers/promises'
import { type Expression, type SqlBool, sql } from 'kysely'
import type { Actor } from '../accounts/accounts.ts'
import type { Context } from '../context.ts'
import type { Db } from '../db/database.ts'
import { Refusal } from '../errors.ts'
import { type EventFilter, isNarrow } from './filters.ts'
import {
  type CausedEvent,
  endOfStretch,
  eventsBefore,
  findEvent,
  isSeen,
  NEWEST,
  type ShownEvent,
  type Stretch,
  seenOf,
  stretchOf,
  type Walk,
} from './list-queries.ts'
import type { Sight, Subjects } from './subjects.ts'

/**
 * Reading the log as somebody: what he may not see is not there, and a page is full while there is more.
 *
 * Nothing in an event says whose it is, since that changes. So the log of a person with limited rights is walked in
 * windows, and each row's record is looked up. That is fast for who sees some part of it. For who sees next to nothing
 * it would be a walk through everything: so first it is asked which things he sees, and if they are few, only their events
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
  sights: Sight[] | null
}

export async function readerOf(db: Db, actor: Actor, subjects: Subjects): Promise<Reader> {
  return { actor, sights: await subjects.sights(db, actor) }
}

/** Who reads for longer than a moment: what he may see is asked anew while he does. */
export interface Readers {
  /** Throws as a new request of his would be refused. */
  current(): Promise<Reader>
}

/** How long the rights of somebody are taken as they were, in seconds. */
const TRUST = 10

export function readersOf(ctx: Context, subjects: Subjects, ask: () => Promise<Actor>): Readers {
  let known: { actor: Actor; at: number } | undefined
  return {
    async current() {
      if (!known || ctx.now() - known.at >= TRUST) known = { actor: await ask(), at: ctx.now() }
      // Which things his rights cover changes with each of them: a record that is new is not among those found before.
      return readerOf(ctx.db, known.actor, subjects)
    },
  }
}

/** The next events of a walk that the reader may see. */
export async function readStretch(
  db: Db,
  reader: Reader,
  walk: Omit<Walk, 'account_id'>,
  stretch: Stretch,
): Promise<ShownEvent[]> {
  const at = { ...walk, account_id: reader.actor.account_id }
  const sights = sightsWithin(reader, walk.filter)
  if (sights === null) return readAll(db, at, stretch)
  return sights.length === 0 ? [] : readSeen(db, sights, at, stretch)
}

/** The event when the reader may see it, else Refusal('not_found'). */
export async function readEvent(db: Db, { actor, sights }: Reader, id: string): Promise<CausedEvent> {
  const { account_id } = actor
  const [event] = await findEvent(db, { account_id, id })
  if (!event) throw notFound()
  const sight = sights?.find(({ entity_type }) => entity_type === event.entity_type)
  const isHidden = sights !== null && !sight
  if (isHidden || (sight?.limit && !(await isSeen(db, account_id, id, seenAmong([sight]))))) throw notFound()
  return event
}

const notFound = () => new Refusal('not_found', 'Entity not found')

/** What of a filter's kinds is limited for the reader; null when nothing is, and empty when he sees none of them. */
function sightsWithin({ sights }: Reader, { entities }: EventFilter): Sight[] | null {
  if (sights === null || entities === null) return sights
  const asked = sights.filter(({ entity_type }) => entities.includes(entity_type))
  const isAll = asked.length === entities.length && asked.every(({ limit }) => limit === null)
  return isAll ? null : asked
}

async function readAll(db: Db, walk: Walk, stretch: Stretch): Promise<ShownEvent[]> {
  const isPlain = !isNarrow(walk.filter) && walk.direction === 'older' && !stretch.offset
  if (isPlain)
    return eventsBefore(db, { account_id: walk.account_id, from: walk.from ?? NEWEST, limit: stretch.limit })
  const { rows } = await stretchOf(db, walk, stretch).execute(db)
  return rows
}

/** The same for who does not read page by page: what of the log he walks, and what he sees of that; null when nothing. */
export async function seenWithin(
  { actor, sights }: Reader,
  filter: EventFilter,
): Promise<{ walk: Walk; seen: Expression<SqlBool> | null } | null> {
  const walk: Walk = { account_id: actor.account_id, filter, direction: 'older', from: null }
  const own = sightsWithin({ actor, sights }, filter)
  if (own === null) return { walk, seen: null }
  if (own.length === 0) return null
  const among = await fewAmong(own, filter)
  return among ? { walk: { ...walk, among }, seen: null } : { walk, seen: seenAmong(own) }
}

async function readSeen(
  db: Db,
  sights: Sight[],
  walk: Walk,
  { limit, offset = 0 }: Stretch,
): Promise<ShownEvent[]> {
  const among = await fewAmong(sights, walk.filter)
  if (among) return (await stretchOf(db, { ...walk, among }, { limit, offset }).execute(db)).rows
  const seen = seenAmong(sights)
  const rows: ShownEvent[] = []
  let skip = offset
  let at = walk
  for (let window = FIRST_WINDOW; ; window = Math.min(window * 4, LAST_WINDOW)) {
    const { rows: found } = await seenOf(db, at, seen, window, skip + limit - rows.length).execute(db)
    rows.push(...found.slice(skip))
    skip = Math.max(0, skip - found.length)
    if (rows.length === limit) return rows
    const end = await endOfStretch(db, at, window)
    if (end === undefined) return rows
    at = { ...at, from: end }
    await setImmediate()
  }
}

/** Whether an event is about something that these sights cover: a condition on `events`. */
export function seenAmong(sights: Sight[]): Expression<SqlBool> {
  if (sights.length === 0) return sql<SqlBool>`1 = 0`
  const kinds = sights.map(({ entity_type, limit }) => {
    const isOfKind = sql<SqlBool>`events.entity_type = ${entity_type}`
    return limit ? sql<SqlBool>`(${isOfKind} and ${limit.covers('events.entity_id')})` : isOfKind
  })
  return sql<SqlBool>`(${sql.join(kinds, sql` or `)})`
}

/** What of a filter the index of kinds is as good for. */
const OF_KINDS = { entities: null, created_at: { from: null, to: null } }

/** All that the reader sees, when it is few of each kind that is limited for him. */
async function fewAmong(sights: Sight[], filter: EventFilter): Promise<NonNullable<Walk['among']> | null> {
  // Of a kind that he sees whole there may be much: then a filter is the better index.
  const isMixed = sights.some(({ limit }) => limit === null)
  if (isMixed && isNarrow({ ...filter, ...OF_KINDS })) return null
  const among: NonNullable<Walk['among']> = []
  for (const { entity_type, limit } of sights) {
    const ids = limit ? await limit.few(FEW) : null
    if (limit && !ids) return null
    among.push({ entity_type, ids })
  }
  return among
}
