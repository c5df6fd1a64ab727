import { type SqlBool, sql } from 'kysely'
import type { Flag } from '../db/column-types.ts'
import type { Db, Tx } from '../db/database.ts'
import { forUpdate, forUpdateSkipLocked, isOneOf, tableOf } from '../db/dialect.ts'
import { prepared } from '../db/prepared.ts'
import type { DeliveryRow } from '../db/tables.ts'
import { LONGEST_WAITS } from './schedule.ts'

/** Written into the statement, not bound: an index of pending rows is used only when the planner sees the word. */
const PENDING = sql.lit('pending')

/** Failures in a row that open a circuit. */
export const OPENING = 5

/** A follower's `next_attempt_at` (the year 2286): it is not looked at before the head of its lane has ended. */
export const PARKED = 9_999_999_999

/** Before this lie the times of tries; from here on are those of what waits for something else, see HELD and PARKED. */
export const LAST_TIME = 8_999_999_999

/** Seconds that a delivery is one process's: twice what the last of an endpoint's share may have to wait. */
export const LEASE = 60

/** Something that is due, and the head of its lane; null when it has no lane. */
export interface DueRow {
  id: number
  account_id: number
  lane: string | null
  url: string
  head: number | null
  circuit: string | null
  /** Whether the circuit is open: it is not to be sent now. */
  is_open: Flag
}

export interface ClaimedRow extends DeliveryRow {
  /** The end of the lease, which is also its name: a later lease of the same row ends later. */
  leased_until: number
  /** Tries in the log, those before a *send again* included. */
  logged: number
  /** Sent although its circuit is open, to see whether it is answered. */
  is_probe: boolean
}

/** What the owner of a delivery is shown of it. */
export function deliveryOf({ logged: _, is_probe: __, ...row }: ClaimedRow): DeliveryRow {
  return row
}

/** When what is claimed must be due by the table: what a probe is chosen from waits in the far future. */
export type Due = readonly [from: number, to: number]

/** A poll chooses what to claim from so many rows. */
export const PAGE = 256

/** What is due, oldest first, but nothing of the endpoints in `full`. One range of deliveries_due. */
export function selectDue(db: Db, now: number, full: string[]): Promise<DueRow[]> {
  if (full.length === 0) return dueAnywhere(db, { now })
  return dueElsewhere(db, { now, prefixes: full.map((endpoint) => `${endpoint}/`) })
}

const dueAnywhere = prepared((db, at: { now: number }) => dueAt(db, at.now))

const dueElsewhere = prepared((db, { now, prefixes }: { now: number; prefixes: string[] }) =>
  dueAt(db, now).where(
    sql<SqlBool>`not exists (select 1 from ${tableOf(db, prefixes, 'text')} as p
      where substr(d.url, 1, length(p.value)) = p.value)`,
  ),
)

function dueAt(db: Db, now: number) {
  const head = sql<
    number | null
  >`(select h.id from deliveries h where h.state = ${PENDING} and h.lane = d.lane
    and h.account_id = d.account_id order by h.id limit 1)`
  return db
    .selectFrom('deliveries as d')
    .leftJoin('circuits as c', 'c.name', 'd.circuit')
    .select(['d.id', 'd.account_id', 'd.lane', 'd.url', 'd.circuit', head.as('head'), isOpen.as('is_open')])
    .where('d.state', '=', PENDING)
    .where('d.next_attempt_at', '<=', now)
    .orderBy('d.next_attempt_at')
    .orderBy('d.id')
    .limit(sql.lit(PAGE))
}

const isOpen = sql<Flag>`case when c.failures >= ${sql.lit(OPENING)} and c.opens_at is not null then 1 else 0 end`

/** Leases those of `ids` that are still due. What another process has just taken is passed over. */
export function claim(
  tx: Tx,
  ids: number[],
  [from, to]: Due,
  until: number,
): Promise<Omit<ClaimedRow, 'is_probe'>[]> {
  return claimThose(tx, { ids, from, to, until })
}

const claimThose = prepared((db, at: { ids: number[]; from: number; to: number; until: number }) => {
  const free = db
    .selectFrom('deliveries')
    .select('id')
    .where((eb) => isOneOf(db, eb.ref('id'), at.ids))
    .where('state', '=', PENDING)
    .where('next_attempt_at', '>=', at.from)
    .where('next_attempt_at', '<=', at.to)
    .orderBy('id')
    .modifyEnd(forUpdateSkipLocked(db))
  return db
    .updateTable('deliveries')
    .set({ leased_until: at.until, next_attempt_at: at.until })
    .where('id', 'in', free)
    .returningAll()
    .returning(
      sql<number>`(select coalesce(max(a.attempt), 0) from delivery_attempts a where a.delivery_id = deliveries.id)`.as(
        'logged',
      ),
    )
    .$castTo<Omit<ClaimedRow, 'is_probe'>>()
})

/** Parks followers whose head is still pending, and answers how many. A head that is just ending is passed over. */
export async function park(tx: Tx, followers: DueRow[], now: number): Promise<number> {
  // The lock on the head decides the race with its end: after us it finds the parked row and wakes it.
  const heads = await tx
    .selectFrom('deliveries')
    .select('id')
    .where('id', 'in', [...new Set(followers.flatMap(({ head }) => head ?? []))])
    .where('state', '=', PENDING)
    .orderBy('id')
    .modifyEnd(forUpdateSkipLocked(tx))
    .execute()
  const pending = new Set(heads.map(({ id }) => id))
  const parked = followers.filter(({ head }) => head !== null && pending.has(head)).map(({ id }) => id)
  if (parked.length === 0) return 0
  const { numUpdatedRows } = await tx
    .updateTable('deliveries')
    .set({ next_attempt_at: PARKED })
    .where('id', 'in', parked)
    .where('state', '=', PENDING)
    .where('next_attempt_at', '<=', now)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/** The times of pending rows that lie further ahead than they may, see clock-steps.ts. One range of deliveries_due. */
export async function hastenDeliveries(tx: Tx, now: number): Promise<void> {
  const waits = LONGEST_WAITS.map((wait, attempts) => sql`when ${sql.lit(attempts)} then ${sql.lit(wait)}`)
  const wait = sql<number>`case when leased_until is not null then ${sql.lit(LEASE)}
    else case attempts ${sql.join(waits, sql` `)} else 0 end end`
  const late = await tx
    .selectFrom('deliveries')
    .select(['id', 'leased_until'])
    .where('state', '=', PENDING)
    .where('next_attempt_at', '>', now)
    .where('next_attempt_at', '<=', sql.lit(LAST_TIME))
    .where((eb) => eb(eb('next_attempt_at', '-', wait), '>', now))
    .orderBy('id')
    .modifyEnd(forUpdateSkipLocked(tx))
    .execute()
  for (const [isLeased, rows] of Map.groupBy(late, (row) => row.leased_until !== null)) {
    const ids = rows.map(({ id }) => id)
    await tx
      .updateTable('deliveries')
      .set({ next_attempt_at: isLeased ? now + LEASE : now })
      .where((eb) => isOneOf(tx, eb.ref('id'), ids))
      .execute()
  }
}

/** Makes the head of a lane due, once the one before it has ended. */
export async function wakeHead(tx: Tx, account_id: number, lane: string, now: number): Promise<void> {
  await tx
    .updateTable('deliveries')
    .set({ next_attempt_at: now })
    .where('id', '=', (eb) =>
      eb
        .selectFrom('deliveries')
        .select('id')
        .where('state', '=', PENDING)
        .where('account_id', '=', account_id)
        .where('lane', '=', lane)
        .orderBy('id')
        .limit(1),
    )
    .where('next_attempt_at', '=', PARKED)
    .execute()
}

export type Ending = Pick<DeliveryRow, 'state' | 'attempts' | 'next_attempt_at' | 'ended_at'>

/** Ends a lease with what came of it. Answers false, and changes nothing, when the lease is another's by now. */
export async function endLease(tx: Tx, row: ClaimedRow, ending: Ending): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('deliveries')
    .set({ ...ending, leased_until: null })
    .where('id', '=', row.id)
    .where('state', '=', PENDING)
    .where('leased_until', '=', row.leased_until)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/**
 * Ends leases, in the order of their ids, with deliveries that have arrived. Answers false, and changes nothing, when one
 * of them is another's by now.
 */
export async function endLeases(tx: Tx, rows: readonly ClaimedRow[], now: number): Promise<boolean> {
  const ids = rows.map(({ id }) => id)
  const leases = new Map((await lockLeases(tx, { ids })).map((row) => [row.id, row.leased_until]))
  if (rows.some(({ id, leased_until }) => leases.get(id) !== leased_until)) return false
  await endDelivered(tx, { ids, now })
  return true
}

const lockLeases = prepared((db, { ids }: { ids: number[] }) =>
  db
    .selectFrom('deliveries')
    .select(['id', 'leased_until'])
    .where((eb) => isOneOf(db, eb.ref('id'), ids))
    .where('state', '=', PENDING)
    .orderBy('id')
    .modifyEnd(forUpdate(db)),
)

const endDelivered = prepared((db, { ids, now }: { ids: number[]; now: number }) =>
  db
    .updateTable('deliveries')
    .set((eb) => ({
      state: sql.lit('delivered'),
      attempts: eb('attempts', '+', sql.lit(1)),
      next_attempt_at: now,
      leased_until: null,
      ended_at: now,
    }))
    .where((eb) => isOneOf(db, eb.ref('id'), ids)),
)

/** Makes the heads of the lanes due in which these deliveries have ended, and answers whether there were any. */
export async function wakeHeads(tx: Tx, ended: readonly ClaimedRow[], now: number): Promise<boolean> {
  const ids = ended.filter(({ lane }) => lane !== null).map(({ id }) => id)
  return ids.length > 0 && (await wakeFollowers(tx, { ids, now })).length > 0
}

const wakeFollowers = prepared((db, { ids, now }: { ids: number[]; now: number }) => {
  const head = sql<number>`(select h.id from deliveries h where h.state = ${PENDING} and h.account_id = ended.account_id
    and h.lane = ended.lane order by h.id limit 1)`
  return db
    .updateTable('deliveries')
    .set({ next_attempt_at: now })
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('deliveries as ended')
        .select(head.as('id'))
        .where((inner) => isOneOf(db, inner.ref('ended.id'), ids)),
    )
    .where('next_attempt_at', '=', sql.lit(PARKED))
    .returning('id')
})

/** Gives leases back that were not used. */
export async function returnLeases(tx: Tx, rows: ClaimedRow[], now: number): Promise<void> {
  for (const [until, leased] of Map.groupBy(rows, (row) => row.leased_until)) {
    await tx
      .updateTable('deliveries')
      .set({ leased_until: null, next_attempt_at: now })
      .where(
        'id',
        'in',
        leased.map(({ id }) => id),
      )
      .where('state', '=', PENDING)
      .where('leased_until', '=', until)
      .execute()
  }
}

/** Deliveries that are pending, of all accounts. By deliveries_due. */
export async function countPending(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('deliveries')
    .where('state', '=', PENDING)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** When the oldest pending delivery was queued. It is the head of its lane, so none that is parked. By deliveries_due. */
export async function oldestPending(db: Db): Promise<number | null> {
  const { oldest } = await db
    .selectFrom('deliveries')
    .where('state', '=', PENDING)
    .where('next_attempt_at', '<', PARKED)
    .select((eb) => eb.fn.min<number | null>('created_at').as('oldest'))
    .executeTakeFirstOrThrow()
  return oldest
}
