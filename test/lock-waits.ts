import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Context } from '../src/context.ts'

/** Resolves when a connection of PostgreSQL waits for a lock. */
export async function someoneWaits({ db }: Context): Promise<void> {
  const waiting = sql`select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  while ((await waiting.execute(db)).rows.length === 0) await setTimeout(20)
}
