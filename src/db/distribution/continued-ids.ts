import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import type { Db } from '../database.ts'
import { continueAfter } from '../ulids.ts'
import { isDistributed } from './distributed.ts'

/**
 * Makes all further ids of this process greater than those of the log. The clock can have been set back while no process
 * ran, and a tail passes by events whose ids are below those that it has read. With Citus, the log is on other servers than
 * the accounts, and this is left out.
 */
export async function continueLog({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<void> {
  if (isDistributed(db)) return
  const newest = await newestEvent(db)
  if (newest !== null) continueAfter({ clock }, newest.toUpperCase())
}

/** The greatest id in the log: one look-up of its primary key for each account. */
async function newestEvent(db: Db): Promise<string | null> {
  const { rows } = await sql<{ id: string | null }>`select max(newest) as id from (
    select (select max(id) from events where events.account_id = accounts.id) as newest from accounts) as ids`.execute(
    db,
  )
  return rows[0]?.id ?? null
}
