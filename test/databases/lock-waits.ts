import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Context } from '../../src/context.ts'

/** Resolves when so many connections of PostgreSQL wait for locks. */
export async function someoneWaits({ db }: Context, count = 1): Promise<void> {
  const waiting = sql`select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  while ((await waiting.execute(db)).rows.length < count) await setTimeout(20)
}
