import { type Kysely, sql } from 'kysely'
import { isPostgres } from './dialect.ts'
import type { Tables } from './tables.ts'

/**
 * On PostgreSQL, triggers record which transactions changed which of the small tables to which most requests refer
 * (`migrations/046-changed-tables.ts`). `postgres-cache.ts` queries those that its last snapshot does not contain.
 */

/** The tables that have changed since a snapshot. */
export interface Changes {
  /** The snapshot of this query. */
  snapshot: string
  /** The file of the table of changes. It changes if the table is truncated or replaced. */
  place: number
  /** Whether the names are all that have changed. Otherwise there are too many entries, or some were deleted. */
  is_complete: boolean
  names: string[]
}

export const CHANGES_SINCE = 'select tables_changed_since($1::pg_snapshot) as changes'

/** The tables whose changes are recorded: a trigger that is switched off, or not for all sessions, does not count. */
export const TRACKED_TABLES = `select relname::text as name from pg_trigger join pg_class on pg_class.oid = tgrelid
  where tgname = 'note_change' and tgenabled = 'A' and relnamespace = current_schema()::regnamespace`

const PORTION = 10_000

/**
 * Deletes the entries of transactions that had ended before the previous run. A program that has checked since does not
 * need them; another one learns from the floor that it has missed some.
 */
export async function deleteOldChanges(db: Kysely<Tables>, portion = PORTION): Promise<void> {
  if (!isPostgres(db)) return
  // First, and in a transaction of its own: entries below the floor can be missing from now on.
  await sql`insert into changed_tables_floor as kept (id, deleted_below, ended_below)
    values (1, '0', pg_snapshot_xmin(pg_current_snapshot()))
    on conflict (id) do update set deleted_below = greatest(kept.deleted_below, kept.ended_below),
      ended_below = greatest(kept.ended_below, excluded.ended_below)`.execute(db)
  for (;;) {
    const { numAffectedRows } = await sql`delete from changed_tables where (xid, name) in (
      select xid, name from changed_tables where xid < (select deleted_below from changed_tables_floor)
      order by xid limit ${portion})`.execute(db)
    if (Number(numAffectedRows) < portion) return
  }
}
