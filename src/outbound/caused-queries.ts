import { type SqlBool, sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { isOneOf, withoutIndex } from '../db/dialect.ts'
import { type CausedIn, type Found, lastIdBefore } from '../db/ids-by-time.ts'
import type { DeliveryAttemptRow, DeliveryRow } from '../db/tables.ts'

/** Ids of deliveries that are read. Deliveries have no index by request (Q8). */
const MOST_READ = 50_000

/** A delivery without what it sends. */
export type CausedDelivery = Omit<DeliveryRow, 'headers' | 'body' | 'body_id'>

const columns = [
  'id',
  'account_id',
  'kind',
  'subject',
  'ordering_key',
  'circuit',
  'endpoint',
  'method',
  'url',
  'state',
  'attempts',
  'next_attempt_at',
  'leased_until',
  'request_id',
  'created_at',
  'ended_at',
  'trace_context',
] as const satisfies (keyof DeliveryRow)[]

/** The deliveries of some causes that were queued in a part of time: a range of the primary key, found by its times. */
export async function deliveriesCausedIn(
  db: Db,
  { account_id, names, from, to }: CausedIn,
  limit: number,
): Promise<Found<CausedDelivery>> {
  const newest = await newestId(db)
  const after = (id: number) => timeAfter(db, id)
  const low = await lastIdBefore(Math.floor(from / 1000), newest, after)
  const last = await lastIdBefore(Math.floor(to / 1000) + 1, newest, after)
  const high = Math.min(last, low + MOST_READ)
  const rows = await db
    .selectFrom('deliveries')
    .select(columns)
    // Without counting, SQLite would read all deliveries of the account by an index instead of the range.
    .where(sql<SqlBool>`${withoutIndex(db, sql.ref('account_id'))} = ${account_id}`)
    .where('id', '>', low)
    .where('id', '<=', high)
    .where((eb) => isOneOf(db, eb.ref('request_id'), names))
    .orderBy('id')
    .limit(limit + 1)
    .execute()
  return { rows: rows.slice(0, limit), is_cut: last > high || rows.length > limit }
}

/** The times of the deliveries of all accounts, because the primary key has no account. */
const timeAfter = (db: Db, id: number) =>
  db
    .selectFrom('deliveries')
    .select(['id', 'created_at'])
    .where('id', '>', id)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()

async function newestId(db: Db): Promise<number> {
  const row = await db.selectFrom('deliveries').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst()
  return row?.id ?? 0
}

/** The attempts of some deliveries of an account, without their answers. */
export async function attemptsOf(
  db: Db,
  account_id: number,
  ids: readonly number[],
): Promise<Omit<DeliveryAttemptRow, 'answer'>[]> {
  if (ids.length === 0) return []
  return db
    .selectFrom('delivery_attempts as a')
    .innerJoin('deliveries as d', 'd.id', 'a.delivery_id')
    .select(['a.delivery_id', 'a.attempt', 'a.at', 'a.duration_ms', 'a.status', 'a.error'])
    .where('d.account_id', '=', account_id)
    .where((eb) => isOneOf(db, eb.ref('a.delivery_id'), ids))
    .orderBy('a.delivery_id')
    .orderBy('a.attempt')
    .execute()
}

/** Some deliveries of an account. */
export async function deliveriesWithIds(
  db: Db,
  account_id: number,
  ids: readonly number[],
): Promise<CausedDelivery[]> {
  if (ids.length === 0) return []
  return db
    .selectFrom('deliveries')
    .select(columns)
    .where('account_id', '=', account_id)
    .where((eb) => isOneOf(db, eb.ref('id'), ids))
    .orderBy('id')
    .execute()
}
