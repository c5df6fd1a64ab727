import { type SqlBool, sql } from 'kysely'
import type { Flag } from '../db/column-types.ts'
import type { Db, Tx } from '../db/database.ts'
import { forUpdateSkipLocked } from '../db/dialect.ts'
import type { DeliveryRow } from '../db/tables.ts'

/** Written into the statement, not bound: an index of pending rows is used only when the planner sees the word. */
const PENDING = sql.lit('pending')

/** Failures in a row that open a circuit. */
export const OPENING = 5

/** A follower's `next_attempt_at` (the year 2286): it is not looked at before the head of its lane has ended. */
export const PARKED = 9_999_999_999

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

/** What is due, oldest first, but nothing of the endpoints in `full`. One range of deliveries_due. */
export function selectDue(db: Db, now: number, full: string[], limit: number): Promise<DueRow[]> {
  const head = sql<
    number | null
  >`(select h.id from deliveries h where h.state = ${PENDING} and h.lane = d.lane
    and h.account_id = d.account_id order by h.id limit 1)`
  const elsewhere = full.map((endpoint) => {
    const prefix = `${endpoint}/`
    return sql<SqlBool>`substr(d.url, 1, ${sql.lit(prefix.length)}) <> ${prefix}`
  })
  return db
    .selectFrom('deliveries as d')
    .leftJoin('circuits as c', 'c.name', 'd.circuit')
    .select(['d.id', 'd.account_id', 'd.lane', 'd.url', 'd.circuit', head.as('head'), isOpen.as('is_open')])
    .where('d.state', '=', PENDING)
    .where('d.next_attempt_at', '<=', now)
    .where((eb) => eb.and(elsewhere))
    .orderBy('d.next_attempt_at')
    .orderBy('d.id')
    .limit(limit)
    .execute()
}

const isOpen = sql<Flag>`case when c.failures >= ${sql.lit(OPENING)} and c.opens_at is not null then 1 else 0 end`

/** Leases those of `ids` that are still due. What another process has just taken is passed over. */
export function claim(
  tx: Tx,
  ids: number[],
  [from, to]: Due,
  until: number,
): Promise<Omit<ClaimedRow, 'is_probe'>[]> {
  const free = tx
    .selectFrom('deliveries')
    .select('id')
    .where('id', 'in', ids)
    .where('state', '=', PENDING)
    .where('next_attempt_at', '>=', from)
    .where('next_attempt_at', '<=', to)
    .orderBy('id')
    .modifyEnd(forUpdateSkipLocked(tx))
  return tx
    .updateTable('deliveries')
    .set({ leased_until: until, next_attempt_at: until })
    .where('id', 'in', free)
    .returningAll()
    .returning(
      sql<number>`(select coalesce(max(a.attempt), 0) from delivery_attempts a where a.delivery_id = deliveries.id)`.as(
        'logged',
      ),
    )
    .$castTo<Omit<ClaimedRow, 'is_probe'>>()
    .execute()
}

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

/** When something is due next, in Unix seconds; null when nothing is pending. The first entry of deliveries_due. */
export async function nextDue(db: Db): Promise<number | null> {
  const row = await db
    .selectFrom('deliveries')
    .select('next_attempt_at')
    .where('state', '=', PENDING)
    .orderBy('next_attempt_at')
    .limit(1)
    .executeTakeFirst()
  return row?.next_attempt_at ?? null
}
