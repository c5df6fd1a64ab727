import { type SqlBool, sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { isOneOf } from '../db/dialect.ts'
import type { DeliveryRow } from '../db/tables.ts'
import { type Range, states } from './history-queries.ts'

/** Deliveries of an account that have one index: those of a kind, of one of its subjects, or of one circuit. */
export interface DeliverySource {
  kind: string
  subject?: string
  circuit?: string
}

/**
 * The ids of deliveries of some sources in their order. Each source is a range of an index: deliveries_by_subject,
 * deliveries_of_circuit, deliveries_by_kind, or one of those of pending and failed deliveries.
 */
export async function selectOfSources(
  db: Db,
  account_id: number,
  sources: readonly DeliverySource[],
  range: Omit<Range, 'ids'>,
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
  { before, after, until, state }: Omit<Range, 'ids'>,
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
    .$if(until !== undefined, (query) => query.where('created_at', '<=', until as number))
    .$if(state !== undefined, (query) => query.where(states[state as keyof typeof states]))
    .orderBy('deliveries.id', order)
    .limit(limit)
  return db.selectFrom(own.as('own')).select('own.id')
}

/** The planner uses the partial index only when it sees its condition. */
const NOT_OF_WEBHOOKS = sql<SqlBool>`kind <> 'webhook'`

/** Deliveries of an account by id, in no order. By the primary key. */
export function selectDeliveries(db: Db, account_id: number, ids: readonly number[]): Promise<DeliveryRow[]> {
  return db
    .selectFrom('deliveries')
    .selectAll()
    .where('account_id', '=', account_id)
    .where((eb) => isOneOf(db, eb.ref('id'), ids))
    .execute()
}
