import { type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { Db, Tx } from '../db/database.ts'
import { forUpdate, forUpdateSkipLocked, isOneOf } from '../db/dialect.ts'
import { prepared, preparedWrite } from '../db/prepared.ts'
import { insertRows, writeTogether } from '../db/row-sets.ts'
import type { DeliveryAttemptRow, DeliveryBodyRow, DeliveryRow, Tables } from '../db/tables.ts'
import { LONGEST_DELAYS } from './backoff.ts'

export interface ClaimedRow extends DeliveryRow {
  /** The end of the lease. It also identifies the lease: a later lease of the same row ends later. */
  leased_until: number
  /** Attempts in the log, including those before a retry by a person. */
  logged: number
}

/** A query for ids of deliveries. */
type Ids = SelectQueryBuilder<Tables, 'deliveries', { id: number }>

/** Seconds of a lease: twice the longest wait of a claimed delivery for its turn. */
export const LEASE = 60

// The states are literals: the planner uses a partial index only when it sees them.
/** The condition that a delivery can be claimed, when it is due. */
export const claimable = (table: string): RawBuilder<SqlBool> =>
  sql<SqlBool>`${sql.ref(`${table}.state`)} in ('ready', 'in_flight')`

/** When the next claimable delivery is due, in Unix seconds; null when there is none. The first entry of deliveries_due. */
export async function selectNextDue(db: Db): Promise<number | null> {
  const [row] = await firstDue(db, {})
  return row?.next_attempt_at ?? null
}

const firstDue = prepared((db) =>
  db
    .selectFrom('deliveries')
    .select('next_attempt_at')
    .where(claimable('deliveries'))
    .orderBy('next_attempt_at')
    .limit(sql.lit(1)),
)

/** The rows with these ids that no other transaction has locked. */
const unlocked = (db: Db, ids: readonly number[]) =>
  db
    .selectFrom('deliveries')
    .select('id')
    .where((eb) => isOneOf(db, eb.ref('id'), ids))
    .orderBy('id')
    .modifyEnd(forUpdateSkipLocked(db))

/** Leases due deliveries until a time. Rows that another process has just claimed are skipped. */
export const claimDue = prepared((db, at: { ids: number[]; now: number; until: number }) =>
  lease(
    db,
    unlocked(db, at.ids).where(claimable('deliveries')).where('next_attempt_at', '<=', at.now),
    at.until,
  ),
)

/** Leases paused deliveries until a time. */
export const claimPaused = prepared((db, at: { ids: number[]; until: number }) =>
  lease(db, unlocked(db, at.ids).where('state', '=', sql.lit('paused')), at.until),
)

const lease = (db: Db, ids: Ids, until: number) =>
  db
    .updateTable('deliveries')
    .set({ state: sql.lit('in_flight'), leased_until: until, next_attempt_at: until })
    .where('id', 'in', ids)
    .returningAll()
    .returning(
      sql<number>`(select coalesce(max(a.attempt), 0) from delivery_attempts a where a.delivery_id = deliveries.id)`.as(
        'logged',
      ),
    )
    .$castTo<ClaimedRow>()

/** Holds due deliveries that follow another one with their ordering key, and returns how many. */
export async function holdFollowers(
  tx: Tx,
  followers: readonly { id: number; first: number }[],
  now: number,
): Promise<number> {
  // The lock on the first delivery decides the race with its end: the transaction that ends it sees the held row.
  const pending = await unlocked(tx, [...new Set(followers.map(({ first }) => first))])
    .where('ended_at', 'is', null)
    .execute()
  const first = new Set(pending.map(({ id }) => id))
  return setState(
    tx,
    'held',
    followers.filter((row) => first.has(row.first)).map(({ id }) => id),
    now,
  )
}

/** Pauses due deliveries, and returns how many. */
export const pause = (tx: Tx, ids: readonly number[], now: number): Promise<number> =>
  setState(tx, 'paused', ids, now)

async function setState(tx: Tx, state: 'held' | 'paused', ids: readonly number[], now: number) {
  if (ids.length === 0) return 0
  const due = unlocked(tx, ids).where(claimable('deliveries')).where('next_attempt_at', '<=', now)
  const { numUpdatedRows } = await tx
    .updateTable('deliveries')
    .set({ state, leased_until: null })
    .where('id', 'in', due)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/** Makes paused deliveries of a circuit due, those with the fewest attempts first, and returns how many. */
export const resumePaused = (tx: Tx, circuit: string, now: number, limit: number): Promise<number> =>
  makeDue(
    tx,
    tx
      .selectFrom('deliveries')
      .select('id')
      .where('ended_at', 'is', null)
      .where('circuit', '=', circuit)
      .where('state', '=', 'paused')
      .orderBy('attempts')
      .orderBy('id')
      .limit(limit)
      .modifyEnd(forUpdateSkipLocked(tx)),
    now,
  )

/** Makes deliveries of a circuit due that would wait for their next attempt until after `later`. */
export const hastenCircuit = (tx: Tx, circuit: string, now: number, later: number): Promise<number> =>
  makeDue(
    tx,
    tx
      .selectFrom('deliveries')
      .select('id')
      .where('ended_at', 'is', null)
      .where('circuit', '=', circuit)
      .where('state', '=', 'ready')
      .where('next_attempt_at', '>', later)
      .orderBy('id')
      .modifyEnd(forUpdateSkipLocked(tx)),
    now,
  )

async function makeDue(tx: Tx, ids: Ids, now: number): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable('deliveries')
    .set({ state: 'ready', next_attempt_at: now })
    .where('id', 'in', ids)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/** Makes deliveries due whose time is further ahead than the schedule allows: it was stored before the clock was set back. */
export async function hastenLate(tx: Tx, now: number): Promise<void> {
  const delays = LONGEST_DELAYS.map(
    (delay, attempts) => sql`when ${sql.lit(attempts)} then ${sql.lit(delay)}`,
  )
  const longest = sql<number>`case when state = 'in_flight' then ${sql.lit(LEASE)}
    else case attempts ${sql.join(delays, sql` `)} else 0 end end`
  const late = tx
    .selectFrom('deliveries')
    .select('id')
    .where(claimable('deliveries'))
    .where('next_attempt_at', '>', now)
    .where((eb) => eb(eb('next_attempt_at', '-', longest), '>', now))
    .modifyEnd(forUpdateSkipLocked(tx))
  await tx
    .updateTable('deliveries')
    // A process may still work on a leased one: it gets a whole lease, under the same name.
    .set({
      next_attempt_at: sql`case when state = 'in_flight' then ${sql.lit(now + LEASE)} else ${sql.lit(now)} end`,
    })
    .where('id', 'in', late)
    .execute()
}

/** Locks claimed deliveries, and returns whether their leases are still those of `rows`. */
export async function lockLeases(tx: Tx, rows: readonly ClaimedRow[]): Promise<boolean> {
  const locked = await leasesOf(tx, { ids: rows.map(({ id }) => id) })
  const leases = new Map(locked.map((row) => [row.id, row.leased_until]))
  return rows.every(({ id, leased_until }) => leases.get(id) === leased_until)
}

const leasesOf = prepared((db, { ids }: { ids: number[] }) =>
  db
    .selectFrom('deliveries')
    .select(['id', 'leased_until'])
    .where((eb) => isOneOf(db, eb.ref('id'), ids))
    .where('ended_at', 'is', null)
    .orderBy('id')
    .modifyEnd(forUpdate(db)),
)

export type Transition = Pick<DeliveryRow, 'state' | 'next_attempt_at' | 'ended_at'>

/** Ends leases after an attempt, all with the same transition. */
export const endLeases = preparedWrite((db, to: { ids: number[] } & Transition) =>
  db
    .updateTable('deliveries')
    .set((eb) => ({
      state: to.state,
      attempts: eb('attempts', '+', sql.lit(1)),
      next_attempt_at: to.next_attempt_at,
      leased_until: null,
      ended_at: to.ended_at,
    }))
    .where((eb) => isOneOf(db, eb.ref('id'), to.ids)),
)

/** Returns leases without an attempt. */
export async function returnLeases(tx: Tx, rows: ClaimedRow[], now: number): Promise<void> {
  for (const [leased_until, leased] of Map.groupBy(rows, (row) => row.leased_until)) {
    const ids = leased.map(({ id }) => id)
    await tx
      .updateTable('deliveries')
      .set({ state: 'ready', leased_until: null, next_attempt_at: now })
      .where((eb) => isOneOf(tx, eb.ref('id'), ids))
      .where('ended_at', 'is', null)
      .where('leased_until', '=', leased_until)
      .execute()
  }
}

/** Makes the next deliveries due after some with the same ordering keys have ended, and returns whether there were any. */
export async function releaseNext(tx: Tx, ended: readonly ClaimedRow[], now: number): Promise<boolean> {
  const ids = ended.filter(({ ordering_key }) => ordering_key !== null).map(({ id }) => id)
  return ids.length > 0 && (await releaseFollowers(tx, { ids, now })).length > 0
}

const releaseFollowers = prepared((db, { ids, now }: { ids: number[]; now: number }) =>
  db
    .updateTable('deliveries')
    .set({ state: sql.lit('ready'), next_attempt_at: now })
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('deliveries as ended')
        .select((inner) =>
          inner
            .selectFrom('deliveries as f')
            .select('f.id')
            .where('f.ended_at', 'is', null)
            .whereRef('f.account_id', '=', 'ended.account_id')
            .whereRef('f.ordering_key', '=', 'ended.ordering_key')
            .orderBy('f.id')
            .limit(sql.lit(1))
            .as('id'),
        )
        .where((inner) => isOneOf(db, inner.ref('ended.id'), ids)),
    )
    .where('state', '=', sql.lit('held'))
    .returning('id'),
)

export const insertDeliveries = (tx: Tx, rows: DeliveryRow[]): Promise<void> =>
  insertRows(tx, 'deliveries', rows)

export const insertBodies = (tx: Tx, rows: DeliveryBodyRow[]): Promise<void> =>
  insertRows(tx, 'delivery_bodies', rows)

/** These deliveries with the bodies that they share with others. */
export async function withBodies<Row extends Pick<DeliveryRow, 'body' | 'body_id'>>(
  db: Db,
  rows: readonly Row[],
): Promise<Row[]> {
  const ids = [...new Set(rows.flatMap(({ body_id }) => body_id ?? []))]
  if (ids.length === 0) return [...rows]
  const bodies = new Map((await sharedBodies(db, { ids })).map(({ id, body }) => [id, body]))
  return rows.map((row) => (row.body_id === null ? row : { ...row, body: bodies.get(row.body_id) ?? null }))
}

const sharedBodies = prepared((db, { ids }: { ids: number[] }) =>
  db
    .selectFrom('delivery_bodies')
    .select(['id', 'body'])
    .where((eb) => isOneOf(db, eb.ref('id'), ids)),
)

export const insertAttempts = (tx: Tx, attempts: DeliveryAttemptRow[]): Promise<void> =>
  writeTogether(tx, () => insertRows(tx, 'delivery_attempts', attempts))

/** Statuses of the last attempts of a delivery, the latest first. */
export async function lastStatuses(db: Db, id: number, count: number): Promise<(number | null)[]> {
  const rows = await db
    .selectFrom('delivery_attempts')
    .select('status')
    .where('delivery_id', '=', id)
    .orderBy('attempt', 'desc')
    .limit(count)
    .execute()
  return rows.map(({ status }) => status)
}
