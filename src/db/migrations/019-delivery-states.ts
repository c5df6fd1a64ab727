import { sql } from 'kysely'
import type { Tx } from '../database.ts'
import { positionOf } from '../dialect.ts'
import type { Migration } from './migration.ts'

/** States of deliveries and circuits by name. Until now, special values of their times stood for them. */
export const deliveryStates: Migration = {
  name: '019-delivery-states',
  counted: [],
  statements: [
    `drop index deliveries_due`,
    `drop index deliveries_by_lane`,
    `drop index deliveries_by_circuit`,
    `alter table deliveries rename column lane to ordering_key`,
    `alter table deliveries add column endpoint text not null default ''`,
    // 9,000,000,000 and the number of attempts: waits for its circuit. 9,999,999,999: waits for an earlier delivery.
    `update deliveries set
      state = case when leased_until is not null then 'in_flight' when next_attempt_at >= 9999999999 then 'held'
        when next_attempt_at >= 9000000000 then 'paused' else 'ready' end,
      next_attempt_at = case when next_attempt_at >= 9000000000 then created_at else next_attempt_at end
      where state = 'pending'`,

    `drop index circuits_by_opening`,
    `alter table circuits rename column opens_at to due_at`,
    `alter table circuits add column state text not null default 'closed'`,
    `update circuits set state = case when failures >= 5 then 'open' else 'recovering' end where due_at is not null`,
    `create index circuits_due on circuits (due_at) where due_at is not null`,
  ],
  fill,
}

/** Indexes come last: the embedded database builds them faster than it would update them. */
async function fill(tx: Tx): Promise<void> {
  // Stored URLs are normalised: the host ends at the first slash after the scheme, which is at least seven characters long.
  const slash = sql`${sql.raw(positionOf(tx))}(substr(url, 9), '/')`
  await sql`update deliveries set endpoint = substr(url, 1, ${slash} + 7)`.execute(tx)
  for (const index of [
    `deliveries_due on deliveries (next_attempt_at, id, endpoint) where state in ('ready', 'in_flight')`,
    `deliveries_by_ordering_key on deliveries (account_id, ordering_key, id) where ended_at is null`,
    `deliveries_by_circuit on deliveries (circuit, state, attempts, id) where ended_at is null and circuit is not null`,
  ])
    await sql.raw(`create index ${index}`).execute(tx)
}
