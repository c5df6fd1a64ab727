import { type SqlBool, sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { isOneOf, tableOf } from '../db/dialect.ts'
import type { DeliveryAttemptRow, DeliveryRow } from '../db/tables.ts'

/** Deliveries of an account that have one index: those of a kind, of one of its subjects, or of one circuit. */
export interface DeliverySource {
  kind: string
  subject?: string
  circuit?: string
}

/** Selects deliveries of sources. `before` and `after` are ids. */
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
const states = {
  pending: sql<SqlBool>`ended_at is null`,
  ended: sql<SqlBool>`ended_at is not null`,
  delivered: sql<SqlBool>`state = 'delivered'`,
  failed: sql<SqlBool>`state = 'failed'`,
}

/**
 * The ids of deliveries of some sources in their order. Each source is a range of an index: deliveries_by_subject,
 * deliveries_of_circuit, deliveries_by_kind, or one of those of pending and failed deliveries.
 */
export async function selectOfSources(
  db: Db,
  account_id: number,
  sources: readonly DeliverySource[],
  range: Range,
  order: 'asc' | 'desc',
  limit: number,
): Promise<number[]> {
  const [first, ...others] = sources.map((source) => ofSource(db, account_id, source, range, order, limit))
  if (!first) return []
  const all = others.reduce((sum, one) => sum.unionAll(one), first)
  const rows = await db
    .selectFrom(all.as('some'))
    .select('some.id')
    .orderBy('some.id', order)
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** The limit of a part of a union is in a query of its own. */
function ofSource(
  db: Db,
  account_id: number,
  { kind, subject, circuit }: DeliverySource,
  { before, after, ids, until, state }: Range,
  order: 'asc' | 'desc',
  limit: number,
) {
  const own = db
    .selectFrom('deliveries')
    .select('deliveries.id')
    .where('account_id', '=', account_id)
    .where('kind', '=', kind)
    .$if(subject !== undefined, (query) => query.where('subject', '=', subject as string))
    .$if(circuit !== undefined, (query) =>
      query.where('circuit', '=', circuit as string).where(NOT_OF_WEBHOOKS),
    )
    .$if(before !== undefined, (query) => query.where('id', '<', before as number))
    .$if(after !== undefined, (query) => query.where('id', '>', after as number))
    .$if(ids !== undefined, (query) => query.where((eb) => isOneOf(db, eb.ref('id'), ids as number[])))
    .$if(until !== undefined, (query) => query.where('created_at', '<=', until as number))
    .$if(state !== undefined, (query) => query.where(states[state as keyof typeof states]))
    .orderBy('deliveries.id', order)
    .limit(limit)
  return db.selectFrom(own.as('own')).select('own.id')
}

/** The planner uses the partial index only when it sees its condition. */
const NOT_OF_WEBHOOKS = sql<SqlBool>`kind <> 'webhook'`

/** Deliveries of an account by id, in no order. By the primary key. */
export async function selectDeliveries(
  db: Db,
  account_id: number,
  ids: readonly number[],
): Promise<DeliveryRow[]> {
  if (ids.length === 0) return []
  return db
    .selectFrom('deliveries')
    .selectAll()
    .where('account_id', '=', account_id)
    .where((eb) => isOneOf(db, eb.ref('id'), ids))
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
