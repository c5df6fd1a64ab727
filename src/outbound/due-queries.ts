import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { isOneOf, isOneOfFew } from '../db/dialect.ts'
import { prepared } from '../db/prepared.ts'
import type { Flag } from '../db/rows/column-types.ts'
import { claimable } from './queue-queries.ts'

/** The due deliveries of one account to one endpoint. */
export interface Backlog {
  account_id: number
  endpoint: string
  /** The delivery that has been due for the longest time, and since when. */
  head: number
  due_at: number
}

/** A delivery that can be claimed, and the first delivery with its ordering key; null when it has no key. */
export interface DueRow {
  id: number
  account_id: number
  ordering_key: string | null
  endpoint: string
  next_attempt_at: number
  first: number | null
  circuit: string | null
  /** Whether its circuit is open, so it must not be sent now. */
  is_blocked: Flag
}

/** Backlogs that one query returns. */
export const BACKLOGS = 1000

/** The head of the next backlog after an account and endpoint. Two look-ups in deliveries_by_receiver. */
function headAfter(account_id: unknown, endpoint: unknown): RawBuilder<number> {
  const first = (condition: RawBuilder<SqlBool>, order: string) =>
    sql`(select d.id from ${sql.table('deliveries')} as d where ${claimable('d')} and ${condition}
      order by ${sql.raw(order)}, d.next_attempt_at, d.id limit 1)`
  const ofAccount = first(sql`d.account_id = ${account_id} and d.endpoint > ${endpoint}`, 'd.endpoint')
  const ofNext = first(sql`d.account_id > ${account_id}`, 'd.account_id, d.endpoint')
  return sql`coalesce(${ofAccount}, ${ofNext})`
}

/**
 * Backlogs by account and endpoint, after one of them. A step of the recursion goes from one backlog to the next, so their
 * lengths cost nothing. Endpoints whose deliveries all wait for a later time are passed by.
 */
export const selectBacklogs = prepared((db, at: { now: number; account_id: number; endpoint: string }) => ({
  compile: () =>
    sql<Backlog>`
      with recursive steps(account_id, endpoint, head, due_at) as (
        select n.account_id, n.endpoint, n.id, n.next_attempt_at from ${sql.table('deliveries')} as n
        where n.id = ${headAfter(at.account_id, at.endpoint)}
        union all
        select n.account_id, n.endpoint, n.id, n.next_attempt_at from steps
        join ${sql.table('deliveries')} as n on n.id = ${headAfter(sql.ref('steps.account_id'), sql.ref('steps.endpoint'))}
      )
      select account_id, endpoint, head, due_at from steps
      where due_at <= ${at.now} limit ${sql.lit(BACKLOGS)}`.compile(db),
}))

/** The first deliveries of some backlogs, not more than `limit` of each. In no order. */
export const selectDue = prepared((db, at: { heads: number[]; now: number; limit: number }) =>
  db
    .selectFrom('deliveries as head')
    .innerJoin('deliveries as d', (join) =>
      join.on((eb) =>
        isOneOfFew(
          db,
          eb.ref('d.id'),
          sql`select due.id from ${sql.table('deliveries')} as due
            where ${claimable('due')} and due.account_id = head.account_id
              and due.endpoint = head.endpoint and due.next_attempt_at <= ${at.now}
            order by due.next_attempt_at, due.id limit ${at.limit}`,
        ),
      ),
    )
    .leftJoin('circuits as c', 'c.name', 'd.circuit')
    .select(['d.id', 'd.account_id', 'd.ordering_key', 'd.endpoint', 'd.next_attempt_at', 'd.circuit'])
    .select((eb) => [
      eb
        .selectFrom('deliveries as f')
        .select('f.id')
        .where('f.ended_at', 'is', null)
        .whereRef('f.account_id', '=', 'd.account_id')
        .whereRef('f.ordering_key', '=', 'd.ordering_key')
        .orderBy('f.id')
        .limit(sql.lit(1))
        .as('first'),
      sql<Flag>`case when c.state = 'open' then 1 else 0 end`.as('is_blocked'),
    ])
    .where((eb) => isOneOf(db, eb.ref('head.id'), at.heads))
    .$castTo<DueRow>(),
)
