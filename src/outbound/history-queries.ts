import { type SqlBool, sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { tableOf } from '../db/dialect.ts'
import type { DeliveryAttemptRow, DeliveryRow } from '../db/tables.ts'

/** The owner's name for some deliveries of an account. */
export interface Subject {
  account_id: number
  kind: string
  subject: string
}

/** Selects deliveries of a subject. `before` and `after` are ids. */
export interface Range {
  before?: number | undefined
  after?: number | undefined
  /** Only these ids. */
  ids?: readonly number[] | undefined
  /** Only those that were queued up to this time. */
  until?: number | undefined
  state?: 'pending' | 'ended' | 'delivered' | 'failed' | undefined
}

// States are literals in these statements: the planner uses a partial index only when it sees them.
export const states = {
  pending: sql<SqlBool>`ended_at is null`,
  ended: sql<SqlBool>`ended_at is not null`,
  delivered: sql<SqlBool>`state = 'delivered'`,
  failed: sql<SqlBool>`state = 'failed'`,
}

/** By deliveries_by_subject; the failed ones by deliveries_failed. */
export function selectOfSubject(
  db: Db,
  { account_id, kind, subject }: Subject,
  { before, after, ids, until, state }: Range,
  order: 'asc' | 'desc',
  limit: number,
): Promise<DeliveryRow[]> {
  return db
    .selectFrom('deliveries')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('kind', '=', kind)
    .where('subject', '=', subject)
    .$if(before !== undefined, (query) => query.where('id', '<', before as number))
    .$if(after !== undefined, (query) => query.where('id', '>', after as number))
    .$if(ids !== undefined, (query) => query.where('id', 'in', ids as number[]))
    .$if(until !== undefined, (query) => query.where('created_at', '<=', until as number))
    .$if(state !== undefined, (query) => query.where(states[state as keyof typeof states]))
    .orderBy('id', order)
    .limit(limit)
    .execute()
}

/** The circuits with a delivery that waits for another attempt. By deliveries_by_circuit. */
export async function selectRetrying(
  db: Db,
  account_id: number,
  circuits: readonly string[],
): Promise<Set<string>> {
  const waiting = db
    .selectFrom('deliveries')
    .select('id')
    .where('account_id', '=', account_id)
    .whereRef('circuit', '=', sql.ref('named.value'))
    .where('state', '=', 'ready')
    .where('attempts', '>', 0)
    .where('ended_at', 'is', null)
  const rows = await db
    .selectFrom(tableOf(db, circuits, 'text').as('named'))
    .select('named.value as circuit')
    .where((eb) => eb.exists(waiting))
    .execute()
  return new Set(rows.map(({ circuit }) => circuit))
}

/** The last attempt of each of these deliveries. By the primary key. */
export async function selectLastAttempts(
  db: Db,
  account_id: number,
  ids: readonly number[],
): Promise<Map<number, DeliveryAttemptRow>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('delivery_attempts as a')
    .innerJoin('deliveries as d', 'd.id', 'a.delivery_id')
    .selectAll('a')
    .where('d.account_id', '=', account_id)
    .where('a.delivery_id', 'in', ids)
    .orderBy('a.delivery_id')
    .orderBy('a.attempt')
    .execute()
  return new Map(rows.map((row) => [row.delivery_id, row]))
}
